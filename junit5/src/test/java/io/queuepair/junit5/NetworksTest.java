// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Virtual time, real time and UDP. */
class NetworksTest {
  @TempDir private Path reports;

  @QueuepairTest
  @Udp
  @Seed(7)
  static class OverUdp {
    @Test
    @Faults("drop 1st WRITE_MIDDLE from 10.0.0.1 to 10.0.0.2")
    void addressesOfPlansAreTranslated(QpPair pair) {
      PairWork.write(pair, 10_000);

      assertThat(pair.a().address()).startsWith("127.");
      QueuepairAssertions.assertThat(pair).sent("WRITE_FIRST", "WRITE_MIDDLE", "WRITE_LAST");
    }

    @Test
    void othersHaveOtherAddresses(QpPair pair, Emulator emulator) {
      try (Emulator beside = Emulator.on(NetworkKind.UDP.open())) {
        Hosts hosts = new Hosts(beside, true);
        assertThat(hosts.address("10.0.0.1")).isNotEqualTo(pair.a().address());
      }
      PairWork.write(pair, 10);
      throw new AssertionError("fails");
    }

    @Test
    @Virtual
    void aMethodMayDiffer(QpPair pair) {
      assertThat(pair.a().address()).isEqualTo("10.0.0.1");
    }
  }

  @Test
  void udpHasFreeAddresses() {
    EngineRun run = EngineRun.of(OverUdp.class, reports);

    assertThat(run.message()).isEqualTo("fails");
    assertThat(run.passed()).hasSize(2);
    assertThat(run.report())
        .startsWith("network (UDP) after ")
        .containsPattern(
            "qp0: 127(\\.\\d+){3} \\(10\\.0\\.0\\.1\\)\n    qp1: 127\\S+ \\(10.0.0.2\\)");
    assertThat(run.report().lines())
        .anyMatch(line -> line.matches(".* 127\\.\\S+ +---> 127\\.\\S+ +RC_RDMA_WRITE_ONLY .*"));
  }

  @QueuepairTest
  @RealTime
  static class InRealTime {
    @Test
    void threadsMayRunAtTheSameTime(QpPair pair) {
      CompletableFuture<WorkCompletion> received = CompletableFuture.supplyAsync(pair.b()::await);
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().sge(0, 64)));
      pair.a().qp().postSend(SendWr.send(2, pair.a().sge(0, 5)));

      assertThat(received.join().byteLen()).isEqualTo(5);
      assertThat(pair.a().await().wrId()).isEqualTo(2);
      // A busy machine may send it again, which counts once, and acknowledge it twice.
      QueuepairAssertions.assertThat(pair).sent("SEND_ONLY");
    }
  }

  @Test
  void realTimeIsForThreads() {
    assertThat(EngineRun.of(InRealTime.class, reports).failures()).isEmpty();
  }

  @QueuepairTest
  static class Undecided {
    @Test
    @RealTime
    @Udp
    void cannotBegin(QpPair pair) {}
  }

  @Test
  void aTestHasOneNetworkOnly() {
    assertThat(EngineRun.of(Undecided.class, reports).message())
        .isEqualTo("Undecided.cannotBegin has @RealTime and @Udp, and a test has one network");
  }

  @QueuepairTest
  static class UnknownProfile {
    @Test
    @Profile("mlx5")
    void cannotBegin(QpPair pair) {}
  }

  static final class NoProfile implements Supplier<DeviceProfile> {
    @Override
    public DeviceProfile get() {
      return null;
    }
  }

  @QueuepairTest
  static class MissingProfile {
    @Test
    @Profile(factory = NoProfile.class)
    void cannotBegin(QpPair pair) {}
  }

  @QueuepairTest
  static class MistypedHost {
    @Test
    void cannotBegin(@Host("10,0,0,2") Device device) {}
  }

  @QueuepairTest
  static class BrokenPlan {
    @Test
    @Faults("drop everything")
    void cannotBegin(QpPair pair) {}
  }

  @Test
  void mistakesInAnnotationsAreNamed() {
    assertThat(EngineRun.of(UnknownProfile.class, reports).message())
        .isEqualTo("@Profile(\"mlx5\") is none of \"standard\" and \"soft-roce\"");
    assertThat(EngineRun.of(MissingProfile.class, reports).message())
        .isEqualTo(NoProfile.class.getName() + " made no profile");
    EngineRun broken = EngineRun.of(BrokenPlan.class, reports);
    assertThat(broken.message())
        .isEqualTo(
            "line 1, column 6: found \"everything\", allowed here: an amount such as 3rd or 1%, an"
                + " opcode or a group of opcodes, from, to, qp, psn, where, at, for, or the end of"
                + " the statement");
    assertThat(broken.files()).isEmpty();
    assertThat(EngineRun.of(MistypedHost.class, reports).message())
        .isEqualTo("@Host(\"10,0,0,2\") is not an IP address");
  }
}
