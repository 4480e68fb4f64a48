// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Seeds: which one a test has, and which of many fails first. */
class SeedsTest {
  @TempDir private Path reports;

  @QueuepairTest
  static class FailsWithSeedFive {
    @Seeds(to = 1_000)
    void fails(@Seed long seed, QpPair pair) {
      assertTrue(seed < 5 && pair != null, "wrong");
    }
  }

  @Test
  void namesTheSmallestSeedThatFailsAndStops() {
    EngineRun run = EngineRun.of(FailsWithSeedFive.class, reports);

    assertThat(run.passed()).containsExactly("seed 1", "seed 2", "seed 3", "seed 4");
    assertThat(run.message()).isEqualTo("wrong ==> expected: <true> but was: <false>");
    assertThat(run.report())
        .contains(
            """

              seed 5, the smallest of 1 to 1000 that fails; replay it with @Seed(5) or \
            -Dqueuepair.seed=5, with @Test for @Seeds
              packets""")
        .contains("ladder: io.queuepair.junit5.SeedsTest$FailsWithSeedFive.fails-seed5.ladder.txt");
  }

  @Test
  void reportsTheSameIfSeedsRunAtTheSameTime() {
    EngineRun serial = EngineRun.of(FailsWithSeedFive.class, reports);
    EngineRun parallel = EngineRun.of(FailsWithSeedFive.class, reports, EngineRun.PARALLEL);

    assertThat(parallel.passed()).containsExactlyInAnyOrderElementsOf(serial.passed());
    assertThat(parallel.message()).isEqualTo(serial.message());
    assertThat(parallel.report().replace("-seed5-2.", "-seed5.")).isEqualTo(serial.report());
  }

  @QueuepairTest
  static class FailsLateWithTheSmallestSeed {
    private static CountDownLatch another;

    @Seeds(to = 1_000)
    void fails(@Seed long seed) throws InterruptedException {
      if (seed == 1) {
        another.await();
      }
      another.countDown();
      fail("seed " + seed);
    }
  }

  @Test
  void reportsTheSmallestSeedAlsoIfAnotherFailsBefore() {
    FailsLateWithTheSmallestSeed.another = new CountDownLatch(1);
    EngineRun run = EngineRun.of(FailsLateWithTheSmallestSeed.class, reports, EngineRun.PARALLEL);

    assertThat(run.message()).isEqualTo("seed 1");
    assertThat(run.passed()).isEmpty();
  }

  @Test
  void endsAlsoIfJUnitsPoolHasOneThreadAndMayNotGrow() {
    EngineRun run = EngineRun.of(FailsWithSeedFive.class, reports, EngineRun.ONE_THREAD);

    assertThat(run.passed()).containsExactlyInAnyOrder("seed 1", "seed 2", "seed 3", "seed 4");
    assertThat(run.message()).isEqualTo("wrong ==> expected: <true> but was: <false>");
    assertThat(EngineRun.of(IsTheSameTwice.class, reports, EngineRun.ONE_THREAD).passed())
        .containsExactlyInAnyOrder("seed 1", "seed 1 again", "seed 2", "seed 2 again");
  }

  @QueuepairTest
  @Execution(ExecutionMode.SAME_THREAD)
  static class SharesStaticState {
    private static long last;

    @Seeds(to = 20)
    void follows(@Seed long seed) {
      assertEquals(seed - 1, last);
      last = seed;
    }
  }

  @Test
  void runsOneAfterTheOtherIfAskedTo() {
    SharesStaticState.last = 0;

    assertThat(EngineRun.of(SharesStaticState.class, reports, EngineRun.PARALLEL).passed())
        .hasSize(20);
  }

  @Test
  void runsWithTheSeedOrAsManyAsItIsAsked() {
    EngineRun run = EngineRun.of(FailsWithSeedFive.class, reports, "queuepair.seed", "77");

    assertThat(run.passed()).isEmpty();
    assertThat(run.report()).contains("seed 77; replay it with @Seed(77) or -Dqueuepair.seed=77");
    assertThat(EngineRun.of(FailsWithSeedFive.class, reports, "queuepair.seeds", "3").passed())
        .containsExactly("seed 1", "seed 2", "seed 3");
    assertThat(EngineRun.of(FailsWithSeedFive.class, reports, "queuepair.seeds", "0").message())
        .isEqualTo("queuepair.seeds is 0, and should be 1 or more");
    assertThat(
            EngineRun.of(FailsWithSeedFive.class, reports, "queuepair.twice", "yes").onlyFailure())
        .hasRootCauseMessage("yes is neither true nor false");
  }

  @QueuepairTest
  static class WithoutANetwork {
    @Seeds(from = 3, to = 4)
    void fails(@Seed long seed) {
      assertNotEquals(4, seed);
    }
  }

  @Test
  void namesItAlsoWithoutANetwork() {
    assertThat(EngineRun.of(WithoutANetwork.class, reports).report())
        .isEqualTo(
            "seed 4, the smallest of 3 to 4 that fails; replay it with @Seed(4) or"
                + " -Dqueuepair.seed=4, with @Test for @Seeds");
  }

  @QueuepairTest
  static class HasItInTheConstructor {
    private final long seed;

    HasItInTheConstructor(@Seed long seed, QpPair pair) {
      this.seed = seed;
      assertNotEquals(4, seed);
    }

    @Seeds(from = 3, to = 5)
    void isTheSame(@Seed long ofTest) {
      assertEquals(seed, ofTest);
    }
  }

  @Test
  void isThatOfTheConstructorToo() {
    EngineRun run = EngineRun.of(HasItInTheConstructor.class, reports);

    assertThat(run.passed()).containsExactly("seed 3");
    assertThat(run.report())
        .contains("\n  seed 4, the smallest of 3 to 5 that fails; replay it with @Seed(4) or");
  }

  @QueuepairTest
  static class EmptyRange {
    @Seeds(from = 3, to = 2)
    void neverRuns() {}
  }

  @Test
  void refusesARangeOfNone() {
    assertThat(EngineRun.of(EmptyRange.class, reports).message())
        .isEqualTo("@Seeds from 3 to 2 are none");
  }

  @QueuepairTest
  @Seed(11)
  static class Inherits {
    @Test
    void fails(@Seed long seed) {
      throw new AssertionError(seed);
    }
  }

  @QueuepairTest
  static class Overrides extends Inherits {
    @Test
    @Seed(12)
    @Override
    void fails(@Seed long seed) {
      throw new AssertionError(seed);
    }
  }

  @QueuepairTest
  static class HasItsOwn {
    @Test
    void fails(@Seed long seed) {
      throw new AssertionError(seed);
    }
  }

  @Test
  void comesFromTheNearestAnnotation() {
    assertThat(EngineRun.of(Inherits.class, reports).message()).isEqualTo("11");
    assertThat(EngineRun.of(Overrides.class, reports).message()).isEqualTo("12");
    assertThat(EngineRun.of(Overrides.class, reports, "queuepair.seed", "5").message())
        .isEqualTo("5");
  }

  @Test
  void isTheSameInEveryRun() {
    String first = EngineRun.of(HasItsOwn.class, reports).message();

    assertThat(first).isNotEqualTo("0");
    assertThat(EngineRun.of(HasItsOwn.class, reports).message()).isEqualTo(first);
  }

  @QueuepairTest
  static class IsTheSameTwice {
    @Seeds(to = 2, twice = true)
    void sends(@Seed long seed, QpPair pair) {
      PairWork.write(pair, (int) seed);
    }
  }

  @QueuepairTest
  static class IsNotTheSameTwice {
    private static int runs;

    @Seeds(to = 3)
    void sends(QpPair pair) {
      runs++;
      PairWork.write(pair, 1);
      PairWork.write(pair, runs == 4 ? 7 : 8);
    }
  }

  @QueuepairTest
  static class DiffersTheSecondTime {
    private static ObjIntConsumer<QpPair> work;
    private static int runs;

    @Seeds(to = 1, twice = true)
    void works(QpPair pair) {
      runs++;
      work.accept(pair, runs);
    }
  }

  /** Two runs of work with a pair, which gets the number of the run. */
  private EngineRun twice(ObjIntConsumer<QpPair> work) {
    DiffersTheSecondTime.work = work;
    DiffersTheSecondTime.runs = 0;
    return EngineRun.of(DiffersTheSecondTime.class, reports);
  }

  @Test
  void runsEachSeedTwiceIfAskedTo() {
    assertThat(EngineRun.of(IsTheSameTwice.class, reports).passed())
        .containsExactly("seed 1", "seed 1 again", "seed 2", "seed 2 again");
    assertThat(EngineRun.of(IsTheSameTwice.class, reports, EngineRun.PARALLEL).passed())
        .containsExactlyInAnyOrder("seed 1", "seed 1 again", "seed 2", "seed 2 again");
    assertThat(EngineRun.of(IsTheSameTwice.class, reports, "queuepair.twice", "false").passed())
        .containsExactly("seed 1", "seed 2");
  }

  @Test
  void namesTheFirstPacketThatDiffersAndLikelyCauses() {
    IsNotTheSameTwice.runs = 0;
    EngineRun run = EngineRun.of(IsNotTheSameTwice.class, reports, "queuepair.twice", "true");

    assertThat(run.passed()).containsExactly("seed 1", "seed 1 again", "seed 2");
    assertThat(run.message())
        .startsWith("two runs with seed 2 differ: packet 3 differs:\n  first run:  at ")
        .containsPattern(
            "first run:  at \\d+ ns, 10.0.0.1 ---> 10.0.0.2, RC_RDMA_WRITE_ONLY .* 8 bytes")
        .containsPattern(
            "second run: at \\d+ ns, 10.0.0.1 ---> 10.0.0.2, RC_RDMA_WRITE_ONLY .* 7 bytes")
        .contains("System.nanoTime", "HashSet", "ThreadLocalRandom", "parallel streams", "Cleaner");
    assertThat(run.report())
        .contains("seed 2, the smallest of 1 to 3 that fails; replay it with @Seed(2)");
  }

  @QueuepairTest
  static class IsNeverTheSameTwice {
    private static final AtomicInteger RUNS = new AtomicInteger();

    @Seeds(to = 100, twice = true)
    void sends(QpPair pair) {
      PairWork.write(pair, RUNS.incrementAndGet());
    }
  }

  @Test
  void comparesTheRunsOfASeedAlsoIfTheyRunAtTheSameTime() {
    EngineRun run = EngineRun.of(IsNeverTheSameTwice.class, reports, EngineRun.PARALLEL);

    assertThat(run.message()).startsWith("two runs with seed 1 differ: packet 1 differs");
  }

  @Test
  void namesAPacketThatTheOtherRunDoesNotHave() {
    EngineRun run =
        twice((pair, number) -> IntStream.range(0, number).forEach(i -> PairWork.write(pair, 1)));

    assertThat(run.message())
        .contains("packet 3 differs:\n  first run:  none, it has 2 packets\n  second run: at ");
  }

  @Test
  void seesPayloads() {
    EngineRun run =
        twice(
            (pair, number) -> {
              pair.a().memory().buffer().put(0, (byte) number);
              PairWork.write(pair, 1);
            });

    assertThat(run.message()).contains("packet 1 differs in its payload:\n");
  }

  @Test
  void saysThatASecondRunFailsWhereTheFirstHasPassed() {
    EngineRun run = twice((pair, number) -> assertNotEquals(2, number));

    assertThat(run.onlyFailure().getSuppressed()[0])
        .hasMessage("seed 1 has passed, and fails in its second run");
  }
}
