// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.DeviceInspector;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Statements that advance time. */
final class RunStatements {
  static final String VERB = "run";

  private static final String FORM =
      "run, run TIME (a whole number: 5ms, 10us, 500ns, 2s), run NUMBER events, run until CQ,"
          + " run until QP=STATE, or run until packet [OPCODE]";
  private static final Pattern TIME = Pattern.compile("([0-9]+)(ns|us|ms|s)");

  /** Limit of events, more than any scenario needs: beyond, a network never is idle. */
  private static final int EVENT_LIMIT = 20_000;

  /** Longest run: about eleven days, many times the longest timeout of a queue pair. */
  private static final long LONGEST_NANOS = 1_000_000_000_000_000L;

  private RunStatements() {}

  static void run(ScenarioEnvironment environment, StateRecorder recorder, List<String> words) {
    if (words.isEmpty()) {
      runEvents(environment, recorder, () -> false);
    } else if (words.get(0).equals("until") && words.size() > 1) {
      BooleanSupplier isDone = condition(environment, words.subList(1, words.size()));
      if (!runEvents(environment, recorder, isDone)) {
        environment.transcript.add("nothing is under way any more, and that has not happened");
      }
    } else if (words.size() == 2 && words.get(1).equals("events")) {
      runCounted(environment, recorder, NumberArgument.of("events", words.get(0), 0, EVENT_LIMIT));
    } else {
      Statements.expect(words, 1, FORM);
      runFor(environment, recorder, words.get(0));
    }
  }

  /** Runs a number of events, which are arrivals of packets and timers. */
  private static void runCounted(
      ScenarioEnvironment environment, StateRecorder recorder, int events) {
    for (int left = events; left > 0; left--) {
      environment.clock.runEvents(1, () -> false);
      recorder.event();
    }
  }

  private static void runFor(ScenarioEnvironment environment, StateRecorder recorder, String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw new StatementException("it is written: " + FORM);
    }
    long unit =
        switch (time.group(2)) {
          case "ns" -> 1L;
          case "us" -> 1_000L;
          case "ms" -> 1_000_000L;
          default -> 1_000_000_000L;
        };
    long count = NumberArgument.ofDigits(time.group(2), time.group(1), LONGEST_NANOS / unit);
    environment.clock.run(
        count * unit,
        () -> {
          recorder.event();
          return false;
        });
    recorder.event();
  }

  /** Runs the network until a condition holds or no event is left; returns whether it held. */
  static boolean runEvents(
      ScenarioEnvironment environment, StateRecorder recorder, BooleanSupplier isDone) {
    boolean[] isReached = new boolean[1];
    boolean isOver =
        environment.clock.runEvents(
            EVENT_LIMIT,
            () -> {
              recorder.event();
              isReached[0] = isDone.getAsBoolean();
              return isReached[0];
            });
    if (!isOver) {
      throw new StatementException(
          "after "
              + EVENT_LIMIT
              + " events the network is still busy; 'run TIME' would end: "
              + environment.waiting());
    }
    return isReached[0];
  }

  static QpState state(String name) {
    return Statements.constant(QpState.class, name, "no state");
  }

  private static BooleanSupplier condition(ScenarioEnvironment environment, List<String> words) {
    String what = words.get(0);
    int equals = what.indexOf('=');
    if (what.equals("packet")) {
      String wanted = words.size() > 1 ? " " + words.get(1) + " " : "  ";
      return () -> environment.transcript.lastPacket().contains(wanted);
    }
    Statements.expect(words, 1, FORM);
    if (equals > 0) {
      QueuePair qp = environment.object(QueuePair.class, what.substring(0, equals));
      QpState state = state(what.substring(equals + 1));
      return () -> DeviceInspector.of(qp).state() == state;
    }
    CompletionQueue cq = environment.object(CompletionQueue.class, what);
    return () -> !DeviceInspector.of(cq).completions().isEmpty();
  }
}
