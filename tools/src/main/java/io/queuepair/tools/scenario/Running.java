package io.queuepair.tools.scenario;

import io.queuepair.emulator.Inspection;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.QueuePair;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lets time pass. */
final class Running {
  static final String VERB = "run";

  private static final String FORM =
      "run, run TIME (such as 5ms, 10us, 500ns, 2s), run NUMBER events, run until CQ,"
          + " run until QP=STATE, or run until packet [OPCODE]";
  private static final Pattern TIME = Pattern.compile("([0-9]+)(ns|us|ms|s)");

  /** More events than any scenario needs: a network that is busy for ever. */
  private static final int EVENT_LIMIT = 100_000;

  /** Eleven days, many times what a queue pair waits for anything. */
  private static final long LONGEST_NANOS = 1_000_000_000_000_000L;

  private Running() {}

  static void run(Stage stage, StageWatch watch, List<String> words) {
    if (words.isEmpty()) {
      runEvents(stage, watch, () -> false);
    } else if (words.get(0).equals("until") && words.size() > 1) {
      BooleanSupplier isDone = condition(stage, words.subList(1, words.size()));
      if (!runEvents(stage, watch, isDone)) {
        stage.transcript().add("nothing is under way any more, and that has not happened");
      }
    } else if (words.size() == 2 && words.get(1).equals("events")) {
      runCounted(stage, watch, Amount.of("events", words.get(0), 0, EVENT_LIMIT));
    } else {
      Statements.expect(words, 1, FORM);
      runFor(stage, watch, words.get(0));
    }
  }

  /** So many events: an arrival of a packet, or something whose time has come. */
  private static void runCounted(Stage stage, StageWatch watch, int events) {
    for (int left = events; left > 0; left--) {
      stage.clock().runEvents(1, () -> false);
      watch.event();
    }
  }

  private static void runFor(Stage stage, StageWatch watch, String text) {
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
    long count = Amount.ofDigits(time.group(2), time.group(1), LONGEST_NANOS / unit);
    stage
        .clock()
        .run(
            count * unit,
            () -> {
              watch.event();
              return false;
            });
    watch.event();
  }

  /** Whether what was waited for has happened. */
  private static boolean runEvents(Stage stage, StageWatch watch, BooleanSupplier isDone) {
    boolean[] isReached = new boolean[1];
    boolean isOver =
        stage
            .clock()
            .runEvents(
                EVENT_LIMIT,
                () -> {
                  watch.event();
                  isReached[0] = isDone.getAsBoolean();
                  return isReached[0];
                });
    if (!isOver) {
      throw new StatementException(
          "after " + EVENT_LIMIT + " events the network is still busy; 'run TIME' would end");
    }
    return isReached[0];
  }

  private static BooleanSupplier condition(Stage stage, List<String> words) {
    String what = words.get(0);
    int equals = what.indexOf('=');
    if (what.equals("packet")) {
      String wanted = words.size() > 1 ? " " + words.get(1) + " " : "  ";
      return () -> stage.transcript().lastPacket().contains(wanted);
    }
    Statements.expect(words, 1, FORM);
    if (equals > 0) {
      QueuePair qp = stage.object(QueuePair.class, what.substring(0, equals));
      String state = what.substring(equals + 1);
      return () -> Inspection.of(qp).state().name().equals(state);
    }
    CompletionQueue cq = stage.object(CompletionQueue.class, what);
    return () -> !Inspection.of(cq).completions().isEmpty();
  }
}
