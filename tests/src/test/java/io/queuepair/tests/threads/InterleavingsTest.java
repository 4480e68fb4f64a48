// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.threads.ApplicationThread;
import io.queuepair.emulator.threads.InterleavingFailure;
import io.queuepair.emulator.threads.Interleavings;
import io.queuepair.emulator.threads.Schedule;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lost wake-up, as the manual page of ibv_get_cq_event warns of it: a completion that comes after
 * the last poll and before ibv_req_notify_cq is not announced.
 */
final class InterleavingsTest {
  private static final int MESSAGES = 3;
  private static final int SEEDS = Integer.getInteger("threads.seeds", 200);

  private static void receive(CompletionChannel channel, CompletionQueue cq, boolean pollsAgain) {
    int received = 0;
    while (received < MESSAGES) {
      int found = cq.poll(16).size();
      if (found == 0) {
        cq.reqNotify(false);
        found = pollsAgain ? cq.poll(16).size() : 0;
        if (found == 0) {
          channel.getCqEvent().ackEvents(1);
        }
      }
      received += found;
    }
  }

  private static void run(Schedule schedule, boolean pollsAgain) {
    try (Emulator emulator = Emulator.inMemory()) {
      emulator.threads().schedule(schedule).strict();
      ProtectionDomain a = emulator.addDevice("10.0.0.1").open().allocPd();
      ProtectionDomain b = emulator.addDevice("10.0.0.2").open().allocPd();
      CompletionChannel channel = b.context().createCompChannel();
      CompletionQueue received = b.context().createCq(16, channel);
      CompletionQueue sent = a.context().createCq(16);
      QueuePair qpA = a.createQp(QpInitAttr.rc(sent, QpCap.of(8)));
      QueuePair qpB = b.createQp(QpInitAttr.rc(received, QpCap.of(8)));
      Emulator.connect(qpA, qpB);
      for (int i = 0; i < MESSAGES; i++) {
        qpB.postRecv(RecvWr.of(i));
      }
      ApplicationThread receiver =
          emulator.start("receiver", () -> receive(channel, received, pollsAgain));
      for (int i = 0; i < MESSAGES; i++) {
        qpA.postSend(SendWr.send(i));
        emulator.await(sent);
      }
      receiver.join();
    }
  }

  @Test
  void aLostWakeUpIsFoundReducedAndReplayed() throws IOException {
    assertThatCode(() -> run(Schedule.fifo(), false)).doesNotThrowAnyException();

    InterleavingFailure found =
        Interleavings.find(1, 1_000, schedule -> run(schedule, false)).orElseThrow();

    assertThat(found.getMessage())
        .startsWith("seed " + found.seed() + " fails: ")
        .contains("EDEADLK")
        .contains("thread receiver waits in ibv_get_cq_event")
        .contains("to run it again: Schedule.parse(\"" + found.schedule() + "\")")
        .contains("at ibv_req_notify_cq of thread receiver, ");
    assertThatThrownBy(() -> run(Schedule.random(found.seed()), false))
        .isInstanceOf(VerbsException.class);
    assertThatThrownBy(() -> run(Schedule.parse(found.schedule().toString()), false))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("thread receiver waits in ibv_get_cq_event");
    SameEveryTimeTest.keep(".seeds", "seed " + found.seed(), List.of(found.schedule().toString()));
  }

  @Test
  void theSameSwitchesAreLeftInEveryRunAndAllOfThemAreNeeded() {
    Schedule fewest =
        Interleavings.find(1, 1_000, schedule -> run(schedule, false)).orElseThrow().schedule();

    for (int again = 0; again < 3; again++) {
      assertThat(Interleavings.find(1, 1_000, schedule -> run(schedule, false)).orElseThrow())
          .extracting(InterleavingFailure::schedule)
          .isEqualTo(fewest);
    }
    String text = fewest.toString();
    List<String> switches = List.of(text.substring(9, text.length() - 1).split(" ", -1));
    for (String one : switches) {
      List<String> others = switches.stream().filter(other -> !other.equals(one)).toList();
      Schedule fewer = Schedule.parse("switches(" + String.join(" ", others) + ")");
      assertThatCode(() -> run(fewer, false)).doesNotThrowAnyException();
    }
  }

  private static void callVerbs(CompletionQueue cq, String name, StringBuilder order) {
    for (int i = 0; i < 4; i++) {
      cq.reqNotify(false);
      order.append(name);
    }
  }

  /** Fails if the first thread runs three times: it hands on twice, and the other one once. */
  private static void takeTurns(Schedule schedule) {
    StringBuilder order = new StringBuilder();
    try (Emulator emulator = Emulator.inMemory()) {
      emulator.threads().schedule(schedule);
      Context context = emulator.addDevice("10.0.0.1").open();
      CompletionQueue cq = context.createCq(1, context.createCompChannel());
      ApplicationThread other = emulator.start("other", () -> callVerbs(cq, "b", order));
      callVerbs(cq, "a", order);
      other.join();
    }
    if (order.toString().matches("a+b+a+b+a+b*")) {
      throw new IllegalStateException(order.toString());
    }
  }

  /**
   * Of a run only what it could have switched later is tried, as the rest was tried already: the
   * decisions of each thread rise.
   */
  @Test
  void noScheduleIsTriedInTwoOrders() {
    List<Schedule> tried = new ArrayList<>();

    InterleavingFailure found =
        Interleavings.find(
                1,
                1_000,
                schedule -> {
                  tried.add(schedule);
                  takeTurns(schedule);
                })
            .orElseThrow();

    assertThat(switchesOf(found.schedule())).as("of " + tried).hasSize(3);
    assertThat(tried)
        .filteredOn(schedule -> switchesOf(schedule).size() == 2)
        .hasSizeGreaterThan(9);
    for (Schedule schedule : tried) {
      for (String thread : List.of("1", "2")) {
        assertThat(decisionsOf(schedule, thread))
            .as(schedule.toString())
            .isSorted()
            .doesNotHaveDuplicates();
      }
    }
  }

  private static List<MatchResult> switchesOf(Schedule schedule) {
    return Pattern.compile("(\\d+)\\.(\\d+)>").matcher(schedule.toString()).results().toList();
  }

  private static List<Integer> decisionsOf(Schedule schedule, String thread) {
    return switchesOf(schedule).stream()
        .filter(one -> one.group(1).equals(thread))
        .map(one -> Integer.valueOf(one.group(2)))
        .toList();
  }

  /** As found above: the same text fails on every machine and every JDK. */
  @Test
  void aScheduleFailsWhereverItIsReplayed() {
    Schedule recorded = Schedule.parse("switches(1.2>2 2.2>0 2.5>2 2.6>1 1.6>0)");

    assertThatThrownBy(() -> run(recorded, false)).hasMessageContaining("EDEADLK");
    assertThatCode(() -> run(recorded, true)).doesNotThrowAnyException();
  }

  @Test
  void aProgramThatIsRightPassesUnderAllSeeds() {
    Interleavings.explore(1, SEEDS, schedule -> run(schedule, true));
  }

  @Test
  void theSmallestSeedIsNamed() {
    List<Schedule> run = new ArrayList<>();

    assertThatThrownBy(
            () ->
                Interleavings.explore(
                    5,
                    10,
                    schedule -> {
                      run.add(schedule);
                      if (schedule.equals(Schedule.random(8))) {
                        throw new IllegalStateException("eight");
                      }
                    }))
        .isInstanceOf(InterleavingFailure.class)
        .hasMessageStartingWith("seed 8 fails: java.lang.IllegalStateException: eight")
        .hasRootCauseMessage("eight");
    assertThat(run.subList(0, 4))
        .containsExactly(
            Schedule.random(5), Schedule.random(6), Schedule.random(7), Schedule.random(8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "verbs", "random(-3)", "switches()", "switches(1.6>0 2.5>2)"})
  void aScheduleIsItsText(String text) {
    assertThat(Schedule.parse(text)).hasToString(text).isEqualTo(Schedule.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lifo",
        "random()",
        "random(9999999999999999999)",
        "switches(1.6)",
        "switches(1.6>0  )x",
        "switches(a)"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Schedule.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'" + text + "' is no schedule: fifo, verbs, random(42) or switches(2.5>3 1.7>0)");
  }
}
