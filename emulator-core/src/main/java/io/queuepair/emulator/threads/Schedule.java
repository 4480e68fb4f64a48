// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Order in which threads take turns. Its text, which {@link #parse} reads, is all that is needed to
 * repeat a run:
 *
 * <ul>
 *   <li>{@code fifo}: a thread passes the turn on where it waits, to the thread that has been ready
 *       for longest; the network moves when all wait
 *   <li>{@code verbs}: the same, but every verb is a decision, too, at which the thread keeps the
 *       turn
 *   <li>{@code random(42)}: at every verb and every wait a random number from the seed decides
 *       whether another thread or the network runs next. A ready thread is delayed by 20
 *       microseconds of virtual time at most
 *   <li>{@code switches(2.5>3 1.7>0)}: as {@code verbs}, but at its 5th decision thread 2 passes
 *       the turn to thread 3, and thread 1 at its 7th to the network. Threads count from 1, in the
 *       order in which they first took part: 1 is the thread that started the others
 * </ul>
 *
 * <p>Immutable and thread-safe.
 */
public final class Schedule {
  private static final Pattern RANDOM = Pattern.compile("random\\((-?\\d{1,19})\\)");
  private static final Pattern SWITCHES = Pattern.compile("switches\\(([0-9.> ]*)\\)");
  private static final Pattern SWITCH = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})>(\\d{1,9})");
  private static final Pattern SPACES = Pattern.compile(" +");
  private static final Schedule FIFO = of(Kind.FIFO, 0, List.of());
  private static final Schedule VERBS = of(Kind.VERBS, 0, List.of());

  private final Kind kind;
  private final long seed;
  private final List<Switch> switches;

  /** Switches that the recorded run could have made after its last one. */
  private final List<Switch> untakenSwitches;

  /** Switches of the recorded run at ibv_req_notify_cq, where a wake-up may be lost. */
  private final List<Switch> switchesAtNotify;

  /** Receiver of the decisions, for an exploration; or null. */
  private final @Nullable Consumer<Decisions> decisionListener;

  private enum Kind {
    FIFO,
    VERBS,
    RANDOM,
    SWITCHES
  }

  /**
   * A decision that is not the usual one.
   *
   * @param thread whose decision it is, from 1
   * @param decision which of its decisions, from 1
   * @param next the thread that runs next, or 0 for the network
   */
  record Switch(int thread, int decision, int next) {
    @Override
    public String toString() {
      return thread + "." + decision + ">" + next;
    }
  }

  private Schedule(
      Kind kind,
      long seed,
      List<Switch> switches,
      List<Switch> untakenSwitches,
      List<Switch> switchesAtNotify,
      @Nullable Consumer<Decisions> decisionListener) {
    this.kind = kind;
    this.seed = seed;
    this.switches = switches;
    this.untakenSwitches = untakenSwitches;
    this.switchesAtNotify = switchesAtNotify;
    this.decisionListener = decisionListener;
  }

  private static Schedule of(Kind kind, long seed, List<Switch> switches) {
    return new Schedule(kind, seed, switches, List.of(), List.of(), null);
  }

  /**
   * Schedule in which a thread passes the turn on only where it waits: the default.
   *
   * @return the schedule {@code fifo}
   */
  public static Schedule fifo() {
    return FIFO;
  }

  /**
   * Schedule that decides at random at every verb and every wait.
   *
   * @param seed any number; the same gives the same run
   * @return the schedule {@code random(seed)}
   */
  public static Schedule random(long seed) {
    return of(Kind.RANDOM, seed, List.of());
  }

  /**
   * Reads the text of a schedule.
   *
   * @param text in one of the forms that are described at this class
   * @return the schedule
   * @throws IllegalArgumentException if it is no schedule; the message lists the forms
   */
  public static Schedule parse(String text) {
    Objects.requireNonNull(text, "text");
    Matcher random = RANDOM.matcher(text);
    Matcher several = SWITCHES.matcher(text);
    if (text.equals("fifo")) {
      return FIFO;
    }
    if (text.equals("verbs")) {
      return VERBS;
    }
    try {
      if (random.matches()) {
        return random(Long.parseLong(random.group(1)));
      }
      if (several.matches()) {
        return ofSwitches(switchesOf(several.group(1).strip(), text));
      }
    } catch (NumberFormatException tooLarge) {
      throw refusal(text);
    }
    throw refusal(text);
  }

  private static List<Switch> switchesOf(String list, String text) {
    List<Switch> switches = new ArrayList<>();
    if (list.isEmpty()) {
      return switches;
    }
    for (String one : SPACES.split(list, -1)) {
      Matcher parts = SWITCH.matcher(one);
      if (!parts.matches()) {
        throw refusal(text);
      }
      switches.add(
          new Switch(
              Integer.parseInt(parts.group(1)),
              Integer.parseInt(parts.group(2)),
              Integer.parseInt(parts.group(3))));
    }
    return switches;
  }

  private static IllegalArgumentException refusal(String text) {
    String shown = text.length() > 80 ? text.substring(0, 80) + "..." : text;
    return new IllegalArgumentException(
        "'" + shown + "' is no schedule: fifo, verbs, random(42) or switches(2.5>3 1.7>0)");
  }

  static Schedule ofSwitches(List<Switch> switches) {
    return of(Kind.SWITCHES, 0, List.copyOf(switches));
  }

  /** Makes the schedule that repeats a run. */
  static Schedule made(
      List<Switch> switches, List<Switch> untakenSwitches, List<Switch> switchesAtNotify) {
    return new Schedule(
        Kind.SWITCHES, 0, List.copyOf(switches), untakenSwitches, switchesAtNotify, null);
  }

  List<Switch> switches() {
    return switches;
  }

  /** Switches that the recorded run could have made after its last one, in order. */
  List<Switch> untaken() {
    return untakenSwitches;
  }

  /** Switches of the recorded run at ibv_req_notify_cq, in order. */
  List<Switch> atNotify() {
    return switchesAtNotify;
  }

  Schedule recordedBy(Consumer<Decisions> newDecisionListener) {
    return new Schedule(
        kind, seed, switches, untakenSwitches, switchesAtNotify, newDecisionListener);
  }

  /** Makes the decisions of a new run. */
  Decisions begin() {
    Decisions decisions =
        switch (kind) {
          case FIFO -> Decisions.usual(false);
          case VERBS -> Decisions.usual(true);
          case RANDOM -> Decisions.random(seed);
          case SWITCHES -> Decisions.replayed(switches);
        };
    if (decisionListener != null) {
      decisionListener.accept(decisions);
    }
    return decisions;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schedule that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** Text of the schedule, which {@link #parse} reads. */
  @Override
  public String toString() {
    return switch (kind) {
      case FIFO -> "fifo";
      case VERBS -> "verbs";
      case RANDOM -> "random(" + seed + ")";
      case SWITCHES ->
          "switches(" + String.join(" ", switches.stream().map(Switch::toString).toList()) + ")";
    };
  }
}
