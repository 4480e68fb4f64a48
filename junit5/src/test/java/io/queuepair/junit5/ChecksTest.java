// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that fail a test that has passed, and how they are turned off. */
class ChecksTest {
  @TempDir private Path reports;

  @QueuepairTest
  static class Leaks {
    @Test
    void leaves(Context context) {
      context.allocPd();
    }
  }

  @QueuepairTest
  @DisabledChecks(Check.LEAKS)
  static class MayLeak extends Leaks {}

  @Test
  void namesTheLineThatMadeWhatNobodyClosed() {
    assertThat(EngineRun.of(Leaks.class, reports).message())
        .isEqualTo(
            """
            the test passed, but objects were not closed:
              a protection domain was never closed (made at \
            io.queuepair.junit5.ChecksTest$Leaks.leaves(ChecksTest.java))
              (to allow that: @DisabledChecks(Check.LEAKS))""");
    assertThat(EngineRun.of(MayLeak.class, reports).passed()).containsExactly("leaves(Context)");
  }

  /** A device that a test adds itself is no different. */
  @QueuepairTest
  static class LeaksAtDevicesThatItAdds {
    @Test
    void leaves(Emulator emulator) {
      EmulatedDevice usual = emulator.addDevice("10.0.0.8");
      EmulatedDevice linux = emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.9");
      for (EmulatedDevice device : List.of(usual, linux)) {
        device.open().allocPd();
      }
    }
  }

  @Test
  void looksAtDevicesThatTheTestAdds() {
    EngineRun run = EngineRun.of(LeaksAtDevicesThatItAdds.class, reports);

    assertThat(run.message())
        .contains("objects were not closed:")
        .containsOnlyOnce("a protection domain was never closed (made at")
        .contains("ChecksTest$LeaksAtDevicesThatItAdds.leaves(ChecksTest.java)); 2 times");
    assertThat(run.report()).contains("\n  hosts:\n    qp0: 10.0.0.8\n    qp1: 10.0.0.9\n");
  }

  @QueuepairTest
  static class Misuses {
    @Test
    void changesWhatIsBeingSent(QpPair pair) {
      pair.a()
          .qp()
          .postSend(
              SendWr.rdmaWrite(
                  1, pair.b().memory().addr(), pair.b().memory().rkey(), pair.a().sge(0, 5)));
      pair.a().memory().buffer().put(0, (byte) 1);
      pair.a().await();
    }
  }

  @QueuepairTest
  @DisabledChecks(Check.MISUSE)
  static class MayMisuse extends Misuses {}

  @Test
  void saysWhatWasMisused() {
    assertThat(EngineRun.of(Misuses.class, reports).message())
        .isEqualTo(
            """
            the test passed, but verbs were misused:
              SEND_BUFFER_CHANGED: the memory of send wr_id 1 of QP 17 was changed before its \
            completion (at io.queuepair.junit5.ChecksTest$Misuses.changesWhatIsBeingSent\
            (ChecksTest.java)); to mend it, leave the memory of a send alone until it \
            has completed, or post it with INLINE
              (to allow that: @DisabledChecks(Check.MISUSE))""");
    assertThat(EngineRun.of(MayMisuse.class, reports).passed()).hasSize(1);
  }

  @QueuepairTest
  static class PlansInVain {
    @Test
    @Faults({"drop 9th READ_RESPONSE", "kill 10.0.0.7 at 1s"})
    void passes(QpPair pair) {}
  }

  @QueuepairTest
  @DisabledChecks(Check.UNUSED_FAULTS)
  static class MayPlanInVain extends PlansInVain {}

  @Test
  void namesTheFaultsThatNeverHappened() {
    assertThat(EngineRun.of(PlansInVain.class, reports).message())
        .isEqualTo(
            """
            the test passed, but statements of the fault plan never happened:
              faults that were never carried out: drop 9th READ_RESPONSE; kill 10.0.0.7 at 1s \
            (unknown hosts: 10.0.0.7)
              (to allow that: @DisabledChecks(Check.UNUSED_FAULTS))""");
    assertThat(EngineRun.of(MayPlanInVain.class, reports).passed()).hasSize(1);
  }

  /** One in fifty packets, and a test of four: which seed loses one is a matter of chance. */
  @QueuepairTest
  static class PlansByChance {
    @Seeds(to = 30)
    @Faults("drop 2%")
    void passes(QpPair pair) {
      PairWork.write(pair, 5);
      PairWork.write(pair, 5);
    }
  }

  @Test
  void judgesChanceOverAllSeeds() {
    assertThat(EngineRun.of(PlansByChance.class, reports).passed()).hasSize(30);
    assertThat(EngineRun.of(PlansByChance.class, reports, "queuepair.seed", "2").message())
        .contains("faults that were never carried out: drop 2%");
  }

  @QueuepairTest
  static class PlansByChanceInVain {
    @Seeds(to = 3)
    @Faults("drop 50% READ_RESPONSE")
    void passes(QpPair pair) {
      PairWork.write(pair, 5);
    }
  }

  @Test
  void namesStatementsOfChanceThatNoSeedHasCarriedOut() {
    EngineRun run = EngineRun.of(PlansByChanceInVain.class, reports);

    assertThat(run.passed()).containsExactly("seed 1", "seed 2");
    assertThat(run.message())
        .contains("faults that were never carried out: drop 50% READ_RESPONSE");
  }

  @QueuepairTest
  static class PlansAndAsksForNothing {
    @Test
    @Faults("drop 1st ACK")
    void passes() {}
  }

  @Test
  void doesNotForgetAPlanOfATestWithoutParameters() {
    assertThat(EngineRun.of(PlansAndAsksForNothing.class, reports).message())
        .contains("faults that were never carried out: drop 1st ACK\n");
  }

  @QueuepairTest
  static class HidesADeadlock {
    @Test
    void waits(Emulator emulator, QpPair pair) {
      assertThatThrownBy(() -> emulator.await(pair.a().cq())).isInstanceOf(VerbsException.class);
    }
  }

  @QueuepairTest
  @DisabledChecks(Check.DEADLOCK)
  static class MayHideADeadlock extends HidesADeadlock {}

  @Test
  void saysWhichWaitCouldNeverEnd() {
    assertThat(EngineRun.of(HidesADeadlock.class, reports).message())
        .isEqualTo(
            """
            the test passed, but a wait could never end:
              the wait for a completion of QP 0x000011 would block for ever: the \
            network is idle
                qp0: QP 0x000011 (RC, RTS): nothing is posted
                qp1: QP 0x000011 (RC, RTS): nothing is posted
              (to allow that: @DisabledChecks(Check.DEADLOCK))""");
    assertThat(EngineRun.of(MayHideADeadlock.class, reports).passed()).hasSize(1);
  }
}
