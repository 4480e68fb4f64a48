// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.threads.Schedule.Switch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a schedule under which a program fails. It leaves out switches, first all but the last
 * one or those at {@code ibv_req_notify_cq}, then many at a time, then one, then pairs, as long as
 * the program fails in the same way. Then it tries all schedules of fewer switches, those with the
 * fewest first. {@link Interleavings} uses this class; other ways to run a program use it directly:
 *
 * <pre>{@code
 * ScheduleReducer reducer = new ScheduleReducer(emulator.threads().replay(), failure);
 * Optional<Schedule> next = reducer.next();
 * while (next.isPresent()) {
 *   // Run the program under next.get().
 *   reducer.ran(emulator.threads().replay(), failureOrNull);
 *   next = reducer.next();
 * }
 * }</pre>
 *
 * <p>It ends after a number of runs, not after a time: the same failure has the same switches left
 * on every machine. If it ends with fewer runs, no schedule of fewer switches fails in the same
 * way: {@link #isComplete}. Not thread-safe.
 */
public final class ScheduleReducer {
  private static final int MAX_RUNS = 2_000;

  /** Maximum number of switches of which pairs are left out: pairs grow with the square. */
  private static final int MAX_PAIRED = 40;

  /** Maximum number of switches at ibv_req_notify_cq that are tried alone, last ones first. */
  private static final int MAX_ALONE = 16;

  private final Throwable failure;
  private final int maxRuns;
  private List<Switch> bestSwitches;

  /** Schedules to try first, as lost wake-ups are likely in them. */
  private final Deque<List<Switch>> guesses = new ArrayDeque<>();

  private boolean isReplayed;

  /** Whether no switch can be left out any more. */
  private boolean isOver;

  /** Search over all schedules of fewer switches; null until it begins. */
  private @Nullable SwitchSearch search;

  private int runs;

  /** Removal of neighbouring switches; null while guesses are tried. */
  private @Nullable DeltaDebugging<Switch> removal;

  /** Index of the first switch of the pair that is left out, once every single switch is needed. */
  private int first;

  /** Index of the second switch of that pair. */
  private int second;

  /**
   * Begins with a run that failed; ends after 2,000 runs.
   *
   * @param failingSchedule the switches of that run: {@link ApplicationThreads#replay()}
   * @param failure the exception of that run; another run fails in the same way if its innermost
   *     cause is of the same class
   */
  public ScheduleReducer(Schedule failingSchedule, @Nullable Throwable failure) {
    this(failingSchedule, failure, MAX_RUNS);
  }

  /**
   * Begins with a run that failed.
   *
   * @param failingSchedule the switches of that run: {@link ApplicationThreads#replay()}
   * @param failure the exception of that run; another run fails in the same way if its innermost
   *     cause is of the same class
   * @param maxRuns the most runs, 0 or more
   * @throws IllegalArgumentException if {@code maxRuns} is negative
   */
  public ScheduleReducer(Schedule failingSchedule, @Nullable Throwable failure, int maxRuns) {
    if (maxRuns < 0) {
      throw new IllegalArgumentException(maxRuns + " runs are less than 0");
    }
    this.failure = Objects.requireNonNull(failure, "failure");
    this.maxRuns = maxRuns;
    bestSwitches = failingSchedule.switches();
  }

  /**
   * Schedule to run next; the first one is that of the run that failed.
   *
   * @return empty if there is nothing more to try
   */
  public Optional<Schedule> next() {
    if (runs >= maxRuns || isComplete()) {
      return Optional.empty();
    }
    return Optional.of(Schedule.ofSwitches(nextSwitches()));
  }

  private List<Switch> nextSwitches() {
    if (!isReplayed) {
      return bestSwitches;
    }
    if (!guesses.isEmpty()) {
      return guesses.getFirst();
    }
    if (isOver) {
      return search.next();
    }
    if (!removal.isMinimal()) {
      return removal.next();
    }
    List<Switch> fewerSwitches = new ArrayList<>(bestSwitches);
    fewerSwitches.remove(second);
    fewerSwitches.remove(first);
    return fewerSwitches;
  }

  /**
   * Whether nothing is left to try: no schedule of fewer switches than {@link #shortest()} fails in
   * the same way, or the run that failed cannot be repeated.
   *
   * @return false if {@link #next} has a further schedule, or has none only because of the limit of
   *     runs
   */
  public boolean isComplete() {
    return isOver && (!isReplayed || search.isOver());
  }

  /**
   * Records how the run of {@link #next} has ended.
   *
   * @param schedule the switches that were made in it: {@link ApplicationThreads#replay()}
   * @param thrown its exception, or null
   * @return whether it is the shortest failing run so far
   */
  public boolean ran(Schedule schedule, @Nullable Throwable thrown) {
    boolean isSame = isSameFailure(failure, thrown);
    List<Switch> switches = schedule.switches();
    runs++;
    if (!isReplayed) {
      isReplayed = isSame;
      isOver = !isSame;
      if (isSame) {
        bestSwitches = switches;
        guess(schedule);
      }
      return isSame;
    }
    boolean isBetter = isSame && switches.size() < bestSwitches.size();
    if (isBetter) {
      bestSwitches = switches;
    }
    if (!guesses.isEmpty()) {
      guesses.removeFirst();
      guess(isBetter ? schedule : null);
    } else if (!isOver) {
      advance(isBetter);
    } else if (isBetter) {
      search.end(); // Schedules of fewer switches did not fail.
    } else {
      search.passed(schedule);
    }
    return isBetter;
  }

  /**
   * Continues with guesses, or begins to leave out switches if no guess is left.
   *
   * @param shorterSchedule schedule of a failing run, to make new guesses from; or null
   */
  private void guess(@Nullable Schedule shorterSchedule) {
    if (shorterSchedule != null) {
      List<Switch> switchesAtNotify = shorterSchedule.atNotify();
      Set<List<Switch>> likely = new LinkedHashSet<>();
      likely.add(bestSwitches.subList(Math.max(0, bestSwitches.size() - 1), bestSwitches.size()));
      likely.add(switchesAtNotify);
      for (int i = switchesAtNotify.size() - 1;
          i >= Math.max(0, switchesAtNotify.size() - MAX_ALONE);
          i--) {
        likely.add(switchesAtNotify.subList(i, i + 1));
      }
      likely.removeIf(guess -> guess.isEmpty() || guess.size() >= bestSwitches.size());
      guesses.clear();
      guesses.addAll(likely);
    }
    if (guesses.isEmpty()) {
      removal = new DeltaDebugging<>(bestSwitches);
      pairIfMinimal();
    }
  }

  private void advance(boolean isBetter) {
    if (removal.isMinimal()) {
      if (isBetter) {
        removal = new DeltaDebugging<>(bestSwitches, 1);
        pairIfMinimal();
      } else {
        nextPair();
      }
      return;
    }
    if (isBetter) {
      removal.failed(bestSwitches);
    } else {
      removal.passed();
    }
    pairIfMinimal();
  }

  /** Begins to leave out pairs if every single switch is needed. */
  private void pairIfMinimal() {
    if (removal.isMinimal()) {
      first = 0;
      second = 1;
      searchIf(bestSwitches.size() < 2 || bestSwitches.size() > MAX_PAIRED);
    }
  }

  private void nextPair() {
    second++;
    if (second == bestSwitches.size()) {
      first++;
      second = first + 1;
    }
    searchIf(second >= bestSwitches.size());
  }

  private void searchIf(boolean nothingCanBeLeftOut) {
    if (nothingCanBeLeftOut) {
      isOver = true;
      search = new SwitchSearch(bestSwitches.size(), maxRuns);
    }
  }

  /**
   * The shortest schedule so far under which the program fails in the same way.
   *
   * @return empty if replaying the switches of the failed run did not fail: then the failure
   *     depends on more than switches
   */
  public Optional<Schedule> shortest() {
    return isReplayed ? Optional.of(Schedule.ofSwitches(bestSwitches)) : Optional.empty();
  }

  private static boolean isSameFailure(Throwable one, @Nullable Throwable other) {
    return other != null && rootOf(one).getClass() == rootOf(other).getClass();
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }
}
