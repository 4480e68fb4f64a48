// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads of a test that run in one order for each seed. */
class ThreadSchedulesTest {
  private static final Pattern SCHEDULE = Pattern.compile("schedule (switches\\([^)]*\\))");

  private static final String DEADLOCK =
      """
      join: EDEADLK: the wait for the end of [thread receiver] would block for ever: the network \
      is idle
        thread of the test runs, in join
            at io.queuepair.junit5.ThreadSchedulesTest$LostWakeUp.transfer(ThreadSchedulesTest.java)
            at $TEST(ThreadSchedulesTest.java)
        thread receiver waits in ibv_get_cq_event for an announcement of one of 1 completion \
      queues, of which 1 have asked for one (ibv_req_notify_cq)
            at io.queuepair.junit5.ThreadSchedulesTest$LostWakeUp.receive(ThreadSchedulesTest.java)
            at io.queuepair.junit5.ThreadSchedulesTest$LostWakeUp.lambda$transfer\
      (ThreadSchedulesTest.java)
        qp0: QP 0x000011 (RC, RTS): nothing is posted
        qp1: QP 0x000011 (RC, RTS): nothing is posted
        CQ of qp1 (16 entries): armed, with 1 completion not polled; no event comes for what was \
      there before the arming, or is not solicited""";

  @TempDir private Path reports;

  /** A receiver that does not poll again after ibv_req_notify_cq, which loses a wake-up. */
  @DisabledChecks(Check.LEAKS)
  private abstract static class LostWakeUp {
    private static final int MESSAGES = 3;

    static void transfer(
        Emulator emulator, Context sender, Context receiver, boolean postsAllFirst) {
      CompletionChannel channel = receiver.createCompChannel();
      CompletionQueue received = receiver.createCq(16, channel);
      CompletionQueue sent = sender.createCq(16);
      QueuePair from = sender.allocPd().createQp(QpInitAttr.rc(sent, QpCap.of(8)));
      QueuePair to = receiver.allocPd().createQp(QpInitAttr.rc(received, QpCap.of(8)));
      Emulator.connect(from, to);
      if (postsAllFirst) {
        post(to, 0, MESSAGES);
      }
      emulator.start("receiver", () -> receive(channel, received));
      for (int i = 0; i < MESSAGES; i++) {
        if (!postsAllFirst) {
          post(to, i, i + 1);
        }
        from.postSend(SendWr.send(i));
        emulator.await(sent);
      }
      emulator.threads().join();
    }

    private static void post(QueuePair qp, int from, int to) {
      for (int i = from; i < to; i++) {
        qp.postRecv(RecvWr.of(i));
      }
    }

    private static void receive(CompletionChannel channel, CompletionQueue cq) {
      int received = 0;
      while (received < MESSAGES) {
        int found = cq.poll(16).size();
        if (found == 0) {
          cq.reqNotify(false);
          channel.getCqEvent().ackEvents(1);
        }
        received += found;
      }
    }
  }

  @QueuepairTest
  static class OfThousandSeeds extends LostWakeUp {
    @Seeds(to = 1_000)
    @ThreadSchedule(value = "random", strict = true)
    void receives(
        Emulator emulator, @Host("10.0.0.1") Context sender, @Host("10.0.0.2") Context receiver) {
      transfer(emulator, sender, receiver, false);
    }
  }

  @QueuepairTest
  static class WithAllReceivesPosted extends LostWakeUp {
    @Seeds(to = 1_000)
    @ThreadSchedule(value = "random", strict = true)
    void receives(
        Emulator emulator, @Host("10.0.0.1") Context sender, @Host("10.0.0.2") Context receiver) {
      transfer(emulator, sender, receiver, true);
    }
  }

  @QueuepairTest
  static class WithOneSchedule extends LostWakeUp {
    @Test
    void receives(
        Emulator emulator, @Host("10.0.0.1") Context sender, @Host("10.0.0.2") Context receiver) {
      transfer(emulator, sender, receiver, false);
    }
  }

  /** How many of 1 to 1,000 passed before one failed. */
  private static int seedsThatPassed(EngineRun run) {
    return (int) run.passed().stream().filter(name -> name.matches("seed \\d+")).count();
  }

  private static String scheduleIn(String report) {
    Matcher matcher = SCHEDULE.matcher(report);
    assertThat(matcher.find()).as(report).isTrue();
    return matcher.group(1);
  }

  @Test
  void namesTheSmallestSeedAndTheFewestSwitches() {
    EngineRun run = EngineRun.of(OfThousandSeeds.class, reports);
    int seed = seedsThatPassed(run) + 1;
    String schedule = scheduleIn(run.report());

    assertThat(run.message())
        .isEqualTo(DEADLOCK.replace("$TEST", OfThousandSeeds.class.getName() + ".receives"));
    assertThat(schedule).as("one switch").matches("switches\\(2\\.\\d+>0\\)");
    assertThat(run.report())
        .contains(
            """
              seed $SEED, the smallest of 1 to 1000 that fails; replay it with @Seed($SEED) or \
            -Dqueuepair.seed=$SEED, with @Test for @Seeds
              schedule $SCHEDULE; replay it with @ThreadSchedule("$SCHEDULE") or \
            -Dqueuepair.schedule="$SCHEDULE"
              switches (1):
                $SWITCH: at ibv_req_notify_cq of thread receiver, the network moves
              packets (6):
            """
                .replace("$SEED", Integer.toString(seed))
                .replace("$SCHEDULE", schedule)
                .replace("$SWITCH", schedule.substring(9, schedule.length() - 1)))
        .endsWith("OfThousandSeeds.receives-seed" + seed + ".ladder.txt");
    assertThat(run.files()).hasSize(2);
  }

  @Test
  void namesTheSameIfSeedsRunAtTheSameTime() {
    EngineRun serial = EngineRun.of(OfThousandSeeds.class, reports);
    EngineRun parallel = EngineRun.of(OfThousandSeeds.class, reports, EngineRun.PARALLEL);

    assertThat(parallel.message()).isEqualTo(serial.message());
    assertThat(scheduleIn(parallel.report())).isEqualTo(scheduleIn(serial.report()));
    assertThat(seedsThatPassed(parallel)).isGreaterThanOrEqualTo(seedsThatPassed(serial));
  }

  @QueuepairTest
  static class FailsWithTheLastSeed {
    @Seeds(to = 8)
    @ThreadSchedule("random")
    void fails(Emulator emulator, @Seed long seed) {
      for (int i = 0; i < 3; i++) {
        emulator.start("sleeper", () -> emulator.sleep(Duration.ofMillis(1)));
      }
      emulator.threads().join();
      assertThat(seed).isLessThan(8);
    }
  }

  @Test
  void showsAFailureThatIsHeldBackAsTheLastSeedsRun() {
    EngineRun serial = EngineRun.of(FailsWithTheLastSeed.class, reports);
    EngineRun parallel = EngineRun.of(FailsWithTheLastSeed.class, reports, EngineRun.PARALLEL);
    EngineRun oneThread = EngineRun.of(FailsWithTheLastSeed.class, reports, EngineRun.ONE_THREAD);

    assertThat(parallel.message()).isEqualTo(serial.message());
    assertThat(seedsThatPassed(parallel)).isEqualTo(7);
    assertThat(oneThread.message()).isEqualTo(serial.message());
    assertThat(seedsThatPassed(oneThread)).isEqualTo(7);
  }

  @Test
  void leavesOutSwitchesInALimitedNumberOfRuns() {
    EngineRun run = EngineRun.of(OfThousandSeeds.class, reports, "queuepair.reduction", "0");
    int seed = seedsThatPassed(run) + 1;

    assertThat(
            run.results().testEvents().skipped().count()
                + run.results().testEvents().aborted().count())
        .as("the first failure alone")
        .isEqualTo(1);
    assertThat(run.report())
        .contains(
            "  seed " + seed + ", the smallest of 1 to 1000 that fails",
            "  fewer switches may be enough: leaving them out ended after 0 runs"
                + " (-Dqueuepair.reduction)");
    assertThat(EngineRun.of(OfThousandSeeds.class, reports, "queuepair.reduction", "-1").message())
        .isEqualTo("queuepair.reduction is -1, and should be 0 to 1000000 runs");
  }

  /** Of the switches that chance made none can be left out, but another one is enough. */
  @Test
  void triesSchedulesOfFewerSwitchesToo() {
    EngineRun run = EngineRun.of(WithAllReceivesPosted.class, reports);

    assertThat(scheduleIn(run.report())).matches("switches\\(2\\.\\d+>0\\)");
  }

  @Test
  void replaysWhatItNames() {
    assertThat(EngineRun.of(WithOneSchedule.class, reports).failures()).isEmpty();
    EngineRun found = EngineRun.of(OfThousandSeeds.class, reports);
    String seed = Integer.toString(seedsThatPassed(found) + 1);
    String schedule = scheduleIn(found.report());

    EngineRun bySchedule =
        EngineRun.of(WithOneSchedule.class, reports, "queuepair.schedule", schedule);
    assertThat(bySchedule.message())
        .isEqualTo(DEADLOCK.replace("$TEST", WithOneSchedule.class.getName() + ".receives"));
    assertThat(bySchedule.report())
        .contains("schedule " + schedule + "; replay it with @ThreadSchedule(\"" + schedule + "\")")
        .contains(": at ibv_req_notify_cq of thread receiver, the network moves");
    EngineRun bySeed = EngineRun.of(OfThousandSeeds.class, reports, "queuepair.seed", seed);
    assertThat(bySeed.report())
        .contains(
            "seed " + seed + "; replay it with @Seed(" + seed + ") or -Dqueuepair.seed=" + seed)
        .contains("schedule " + schedule + "; replay it with");
  }

  @QueuepairTest
  static class FailsOnce {
    private static int runs;

    @Seeds(to = 3)
    @ThreadSchedule("random")
    void yields(Emulator emulator) {
      for (int i = 0; i < 3; i++) {
        emulator.start("sleeper", () -> emulator.sleep(Duration.ofMillis(1)));
      }
      runs++;
      if (runs == 2) {
        fail("once");
      }
    }
  }

  @Test
  void aFailureThatDoesNotComeAgainIsNotForgotten() {
    FailsOnce.runs = 0;
    EngineRun run = EngineRun.of(FailsOnce.class, reports);

    assertThat(run.message())
        .isEqualTo("seed 2 has failed, and now passes: what the test does is not all in the seed");
    assertThat(run.onlyFailure()).hasRootCauseMessage("once");
    assertThat(run.passed()).containsExactly("seed 1", "seed 2 with fewer switches");
  }

  @QueuepairTest
  static class BlocksOutside {
    void block(Emulator emulator) {
      CountDownLatch latch = new CountDownLatch(1);
      emulator.start("opener", latch::countDown);
      try {
        latch.await();
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException("interrupted", interrupted);
      }
      emulator.threads().join();
    }
  }

  @QueuepairTest
  @Seed(7)
  static class MayBlockOutside extends BlocksOutside {
    @Test
    void fails(Emulator emulator) {
      block(emulator);
      fail("for another reason");
    }
  }

  @QueuepairTest
  @ThreadSchedule(strict = true)
  static class MayNotBlockOutside extends BlocksOutside {
    @Test
    void fails(Emulator emulator) {
      block(emulator);
    }
  }

  @Test
  void aReportSaysWhatMayDifferTheNextTime() {
    EngineRun run = EngineRun.of(MayBlockOutside.class, reports);

    assertThat(run.message()).isEqualTo("for another reason");
    assertThat(run.report())
        .contains(
            """
              the next run may differ, as
                thread of the test is WAITING outside of the emulator
                      at io.queuepair.junit5.ThreadSchedulesTest$BlocksOutside.block\
            (ThreadSchedulesTest.java)
                      at io.queuepair.junit5.ThreadSchedulesTest$MayBlockOutside.fails\
            (ThreadSchedulesTest.java)
              packets""");
  }

  @Test
  void orTheTestFailsIfItIsStrict() {
    assertThat(EngineRun.of(MayNotBlockOutside.class, reports).failures())
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure.toString() + List.of(failure.getSuppressed()))
                    .contains("threads are to run the same every time, but thread ")
                    .contains(" is WAITING outside of the emulator"));
  }

  @QueuepairTest
  @Seed(7)
  static class LosesAThread {
    @Test
    void passes(Emulator emulator) {
      emulator.start(
          "server",
          () -> {
            throw new IllegalStateException("out of slots");
          });
    }
  }

  @Test
  void aThreadThatFailsFailsTheTest() {
    EngineRun run = EngineRun.of(LosesAThread.class, reports);

    assertThat(run.message())
        .isEqualTo("thread server failed: java.lang.IllegalStateException: out of slots");
    assertThat(run.report())
        .contains(
            "seed 7; replay it with @Seed(7)", "ThreadSchedulesTest$LosesAThread.passes.pcapng");
    assertThat(run.files()).hasSize(2);
  }

  @QueuepairTest
  static class Misspelt {
    @Test
    @ThreadSchedule("lifo")
    void cannotBegin(Emulator emulator) {}
  }

  @QueuepairTest
  @RealTime
  static class HasNoTurns {
    @Test
    @ThreadSchedule("verbs")
    void cannotBegin(Emulator emulator) {}
  }

  @Test
  void refusesWhatIsNoScheduleOrHasNone() {
    assertThat(EngineRun.of(Misspelt.class, reports).message())
        .isEqualTo(
            "@ThreadSchedule or queuepair.schedule: 'lifo' is no schedule: fifo, verbs, random(42)"
                + " or switches(2.5>3 1.7>0)");
    assertThat(EngineRun.of(HasNoTurns.class, reports).message())
        .isEqualTo(
            "cannotBegin(Emulator) is to have a @ThreadSchedule, but its network (in memory, real"
                + " time) lets threads run as the system does: that needs @Virtual");
  }
}
