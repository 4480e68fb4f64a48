// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.RecvWr;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests that would never end, in real time. */
class TimeoutTest {
  @TempDir private Path reports;

  @QueuepairTest(timeoutSeconds = 1)
  @RealTime
  @Seed(7)
  static class Waits {
    @Test
    void waitsForACompletion(QpPair pair) {
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().sge(0, 64)));
      pair.b().await();
    }
  }

  /** Numbers of queue pairs begin anywhere in real time. */
  private static String withoutNumbers(String text) {
    return text.replaceAll("QP 0x\\p{XDigit}{6}", "QP N");
  }

  @Test
  void saysWhereTheTestWasAndWhatAllWaitedFor() {
    EngineRun run = EngineRun.of(Waits.class, reports);

    assertThat(withoutNumbers(run.message()))
        .isEqualTo(
            """
            the test took longer than 1 s; at that moment it was
                at io.queuepair.junit5.QpEndpoint.await(QpEndpoint.java)
                at io.queuepair.junit5.TimeoutTest$Waits.waitsForACompletion(TimeoutTest.java)
              and its queue pairs were waiting:
                qp0: QP N (RC, RTS): nothing is posted
                qp1: QP N (RC, RTS): 1 receive posted; nothing comes from QP N of \
            10.0.0.1""");
    assertThat(run.onlyFailure().getCause()).hasMessageContaining("EINTR");
    assertThat(withoutNumbers(run.report()))
        .startsWith("network (in memory, real time) after ")
        .contains(
            "\n    qp1: QP N (RC, RTS): 1 receive posted; nothing comes from QP N of 10.0.0.1")
        .endsWith("TimeoutTest$Waits.waitsForACompletion.ladder.txt");
    assertThat(Thread.interrupted()).isFalse();
  }

  @QueuepairTest
  @RealTime
  static class Polls {
    @Test
    void pollsForEver(QpPair pair) {
      while (pair.b().cq().poll(1).isEmpty()) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void endsALoopOfPollsToo() {
    EngineRun run = EngineRun.of(Polls.class, reports, "queuepair.timeout", "1");

    assertThat(run.message())
        .startsWith("the test took longer than 1 s; at that moment it was\n    at io.queuepair.")
        .contains("Polls.pollsForEver(TimeoutTest.java)\n  and its queue pairs were waiting:\n");
    assertThat(run.onlyFailure().getCause()).hasMessageContaining("ENODEV");
  }

  @QueuepairTest(timeoutSeconds = 1)
  static class WaitsAround {
    private static void waitForEver() throws InterruptedException {
      new CountDownLatch(1).await();
    }

    @Nested
    class Constructor {
      Constructor(QpPair pair) throws InterruptedException {
        waitForEver();
      }

      @Test
      void neverBegins() {}
    }

    @Nested
    class OfClass {
      @BeforeAll
      static void waitsBefore(QpPair pair) throws InterruptedException {
        waitForEver();
      }

      @AfterAll
      static void waitsAfter() throws InterruptedException {
        waitForEver();
      }

      @Test
      void neverBegins() {}
    }

    @Nested
    class OfTest {
      @BeforeEach
      void waitsBefore(QpPair pair) throws InterruptedException {
        waitForEver();
      }

      @AfterEach
      void waitsAfter() throws InterruptedException {
        waitForEver();
      }

      @Test
      void neverBegins() {}
    }

    @TestFactory
    DynamicTest makesATest(QpPair pair) {
      return DynamicTest.dynamicTest("waits", WaitsAround::waitForEver);
    }

    @TestFactory
    List<DynamicTest> waits(QpPair pair) throws InterruptedException {
      waitForEver();
      return List.of();
    }
  }

  @Test
  void limitsAlsoWhatIsAroundTests() {
    EngineRun run = EngineRun.of(WaitsAround.class, reports, EngineRun.PARALLEL);

    Stream<Throwable> later = run.failures().stream().flatMap(it -> Stream.of(it.getSuppressed()));
    assertThat(
            Stream.concat(run.failures().stream(), later)
                .filter(it -> !(it instanceof NetworkReport))
                .map(Throwable::getMessage))
        .hasSize(7)
        .allSatisfy(it -> assertThat(it).startsWith("the test took longer than 1 s; at"));
  }

  @QueuepairTest(timeoutSeconds = -1)
  static class NegativeLimit {
    @Test
    void cannotBegin() {}
  }

  @Test
  void refusesALimitBelowZero() {
    assertThat(EngineRun.of(NegativeLimit.class, reports).message())
        .isEqualTo(
            "queuepair.timeout, or timeoutSeconds of @QueuepairTest, is -1 s: it is 0 for no limit,"
                + " or more");
  }

  @QueuepairTest(timeoutSeconds = 0)
  static class HasNoLimit {
    @Test
    void passes(QpPair pair) {}
  }

  @Test
  void canBeTurnedOff() {
    assertThat(EngineRun.of(HasNoLimit.class, reports).failures()).isEmpty();
  }
}
