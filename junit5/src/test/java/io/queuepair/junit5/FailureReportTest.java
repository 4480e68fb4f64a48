// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static io.queuepair.junit5.QueuepairAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Report of a failed test about its network. */
class FailureReportTest {
  @TempDir private Path reports;

  @QueuepairTest
  @Seed(7)
  static class LosesAnAcknowledgement {
    @Test
    @Faults("drop 1st ACK")
    void fails(QpPair pair) {
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().sge(0, 64)));
      pair.a().qp().postSend(SendWr.send(2, pair.a().sge(0, 5)));
      assertThat(pair.b().await()).hasByteLen(6);
    }
  }

  @Test
  void saysWhatWasOnTheWireAndWhatAllWaitForAndKeepsIt() {
    EngineRun run = EngineRun.of(LosesAnAcknowledgement.class, reports);

    assertThat(run.message())
        .isEqualTo(
            """
            expected byte_len 6
            but it was wr_id 1 of QP 0x000011: RECV 5 bytes, SUCCESS""");
    assertThat(run.report())
        .isEqualTo(
            """
            network (in memory, virtual time) after 1 us
              seed 7; replay it with @Seed(7) or -Dqueuepair.seed=7
              packets (2):
                      0.000 us  10.0.0.1 ---> 10.0.0.2  RC_SEND_ONLY qp=0x000011 psn=0 migrated \
            ackreq 5 bytes
                      1.000 us  10.0.0.1 <--- 10.0.0.2  RC_ACKNOWLEDGE qp=0x000011 psn=0 migrated \
            ACK credits=0 msn=1, dropped: drop 1st ACK
              waiting and dropped:
                qp0: QP 0x000011 (RC, RTS): 1 send not completed; the first, wr_id 2, SEND to QP \
            0x000011 of 10.0.0.2, waits for the acknowledgement of PSN 0
                qp1: QP 0x000011 (RC, RTS): nothing is posted
              faults carried out:
                drop 1st ACK: 1
              hosts:
                qp0: 10.0.0.1
                qp1: 10.0.0.2
              capture: io.queuepair.junit5.FailureReportTest$LosesAnAcknowledgement.fails.pcapng
              ladder: io.queuepair.junit5.FailureReportTest$LosesAnAcknowledgement.fails.ladder.txt\
            """);
    assertThat(run.files()).hasSize(2).anyMatch(name -> name.endsWith(".fails.ladder.txt"));
    try (CaptureFile file = CaptureFile.open(reports.resolve(run.files().get(1)))) {
      assertThat(file.next())
          .get()
          .extracting(packet -> packet.fields().get("opcode"))
          .hasToString("RC_SEND_ONLY");
    }
  }

  @QueuepairTest
  @Seed(9)
  static class FailsInADynamicTest {
    @TestFactory
    DynamicTest makesATest(QpPair pair) {
      return DynamicTest.dynamicTest("fails", () -> fail("after " + PairWork.write(pair, 5)));
    }
  }

  @Test
  void reportsAlsoOnADynamicTest() {
    EngineRun run = EngineRun.of(FailsInADynamicTest.class, reports);

    assertThat(run.report())
        .contains("\n  seed 9; replay it with @Seed(9)", "\n  packets (2):")
        .endsWith("$FailsInADynamicTest.makesATest.ladder.txt");
    assertThat(run.files()).hasSize(2);
  }

  @QueuepairTest
  static class PassesOrIsAborted {
    @Test
    void passes(QpPair pair) {
      assertThat(PairWork.write(pair, 5)).isSuccess();
    }

    @Test
    @Faults("drop 1st ACK")
    void isAborted(QpPair pair) {
      assumeTrue(pair == null);
    }
  }

  @Test
  void leavesNoFilesOfTestsThatPass() {
    EngineRun run = EngineRun.of(PassesOrIsAborted.class, reports);

    assertThat(run.failures()).isEmpty();
    assertThat(run.files()).isEmpty();
  }

  @QueuepairTest
  @Seed(8)
  static class FailsBeforeIt {
    @BeforeEach
    void prepare(QpPair pair) {
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().sge(0, 64)));
      fail("not prepared");
    }

    @Test
    void neverBegins() {}
  }

  @Test
  void alsoSpeaksOfWhatComesBeforeATest() {
    EngineRun run = EngineRun.of(FailsBeforeIt.class, reports);

    assertThat(run.message()).isEqualTo("not prepared");
    assertThat(run.report())
        .contains(
            "seed 8; replay it", "1 receive posted; nothing comes from QP 0x000011 of 10.0.0.1")
        .contains("FailureReportTest$FailsBeforeIt.neverBegins.ladder.txt");
  }

  @QueuepairTest
  @Seed(12)
  static class MisusesInALoop {
    @Test
    void fails(QpPair pair) {
      long to = pair.b().memory().addr();
      for (int i = 0; i < 3; i++) {
        SendWr write = SendWr.rdmaWrite(i, to, pair.b().memory().rkey(), pair.a().sge(0, 5));
        pair.a().qp().postSend(write);
        pair.a().memory().buffer().put(0, (byte) (i + 1));
        pair.a().await();
      }
      fail("later");
    }
  }

  @Test
  void namesEachPlaceOfMisuseOnce() {
    assertThat(EngineRun.of(MisusesInALoop.class, reports).report())
        .containsOnlyOnce(
            "\n  verbs were misused:\n    SEND_BUFFER_CHANGED: the memory of send wr_id ")
        .contains("or post it with INLINE; 3 times at this place");
  }

  @QueuepairTest
  @Seed(13)
  static class GoesOnAfterwards {
    @Test
    void fails(QpPair pair, NetworkFaults faults) {
      faults.inject("drop 1st WRITE");
      PairWork.write(pair, 5);
      faults.clear();
      fail("here");
    }

    @AfterEach
    void stop(QpPair pair) {
      PairWork.write(pair, 6);
    }
  }

  @Test
  void showsWhatWasInjectedAndEndsWhereTheTestFailed() throws IOException {
    EngineRun run = EngineRun.of(GoesOnAfterwards.class, reports);

    assertThat(run.report())
        .containsSubsequence(
            "packets (3):",
            "0.000 us  faults: drop 1st WRITE\n",
            "5 bytes, dropped: drop 1st WRITE\n",
            "5 bytes\n",
            "ACK credits=",
            "us  faults are cleared\n  waiting and dropped:")
        .doesNotContain("6 bytes");
    assertThat(Files.readString(reports.resolve(run.files().get(0))))
        .containsSubsequence("faults are cleared", "the test has failed", "6 bytes");
  }

  /** The future of the task keeps what is thrown, as that of an executor does. */
  @QueuepairTest
  @Seed(10)
  static class HidesARefusal {
    @Test
    void fails(QpPair pair, Emulator emulator) {
      emulator.start(
          "receiver",
          () -> {
            runInPool(new FutureTask<>(() -> pair.a().cq().poll(1)));
            pair.b().await();
          });
      emulator.threads().join();
    }

    private static void runInPool(FutureTask<?> task) {
      Thread pool = new Thread(task, "pool-1");
      pool.start();
      try {
        pool.join();
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }
  }

  @Test
  void namesARefusalThatTheTestHasHidden() {
    assertThat(EngineRun.of(HidesARefusal.class, reports).report())
        .contains(
            """
              waiting and dropped:
                refused with EPERM: thread pool-1, in ibv_poll_cq, at \
            io.queuepair.junit5.FailureReportTest$HidesARefusal.\
            """);
  }
}
