// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.threads.Schedule.Switch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out switches of a schedule under which a program fails, first many at a time, then one,
 * then pairs, as long as the program fails in the same way. Then it tries all schedules of fewer
 * switches, those with the fewest first. {@link Interleavings} does so by itself; this is for those
 * who have their own way to run the program:
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
 * <p>It ends after 2,000 runs at the latest, however long these take: the same failure has the same
 * switches left on every machine. If it needs fewer runs, no schedule of fewer switches fails in
 * the same way. Not thread-safe.
 */
public final class ScheduleReducer {
  private static final int MAX_RUNS = 2_000;

  /** Of more switches than these pairs are not tried: they are many. */
  private static final int MAX_PAIRED = 40;

  private final Throwable failure;
  private List<Switch> best;
  private boolean isReplayed;

  /** Whether nothing more can be left out. */
  private boolean isOver;

  /** What is tried then; null before. */
  private @Nullable SwitchSearch search;

  private int runs;

  /** How many neighbours are left out at a time; 0 while pairs are. */
  private int size;

  /** Whether any could be left out since the first of so many was tried. */
  private boolean isShorter;

  /** The first that is left out. */
  private int first;

  /** The other one of a pair. */
  private int second;

  /**
   * Begins with a run that failed.
   *
   * @param failing the switches of that run: {@link ApplicationThreads#replay()}
   * @param failure what it failed with; another run fails in the same way if its innermost cause is
   *     of the same class
   */
  public ScheduleReducer(Schedule failing, @Nullable Throwable failure) {
    this.failure = Objects.requireNonNull(failure, "failure");
    best = failing.switches();
  }

  /**
   * What to run next; the first one is the schedule of the run that failed.
   *
   * @return empty if there is nothing more to try
   */
  public Optional<Schedule> next() {
    if (!isReplayed && !isOver) {
      return Optional.of(Schedule.ofSwitches(best));
    }
    if (runs >= MAX_RUNS || !isReplayed) {
      return Optional.empty();
    }
    if (isOver) {
      return search.isOver() ? Optional.empty() : Optional.of(Schedule.ofSwitches(search.next()));
    }
    List<Switch> fewer = new ArrayList<>(best);
    if (size > 0) {
      fewer.subList(first, Math.min(first + size, best.size())).clear();
    } else {
      fewer.remove(second);
      fewer.remove(first);
    }
    return Optional.of(Schedule.ofSwitches(fewer));
  }

  /**
   * How the run of {@link #next} has ended.
   *
   * @param made the switches that were made in it: {@link ApplicationThreads#replay()}
   * @param thrown what it failed with, or null
   * @return whether that is the shortest one so far
   */
  public boolean ran(Schedule made, @Nullable Throwable thrown) {
    boolean isSame = isSameFailure(failure, thrown);
    List<Switch> switches = made.switches();
    runs++;
    if (!isReplayed) {
      isReplayed = isSame;
      isOver = !isSame;
      if (isSame) {
        best = switches;
        begin(best.size());
        searchIfOver();
      }
      return isSame;
    }
    boolean isBetter = isSame && switches.size() < best.size();
    if (isBetter) {
      best = switches;
    }
    if (!isOver) {
      advance(isBetter);
      searchIfOver();
    } else if (isBetter) {
      search.end(); // None of fewer switches has failed.
    } else {
      search.passed(made);
    }
    return isBetter;
  }

  /** From the first one on, leaves out so many neighbours; or pairs, for 0. */
  private void begin(int newSize) {
    size = newSize;
    first = 0;
    second = 1;
    isShorter = false;
    isOver = size == 0 && (best.size() < 2 || best.size() > MAX_PAIRED);
  }

  private void searchIfOver() {
    if (isOver) {
      search = new SwitchSearch(best.size(), MAX_RUNS);
    }
  }

  private void advance(boolean isBetter) {
    if (size > 0) {
      isShorter |= isBetter;
      first += isBetter ? 0 : size; // What comes next has moved there.
      if (first >= best.size()) {
        begin(size == 1 && isShorter ? 1 : size / 2);
      }
    } else if (isBetter) {
      begin(1);
    } else {
      second++;
      if (second == best.size()) {
        first++;
        second = first + 1;
      }
      isOver = second >= best.size();
    }
  }

  /**
   * The shortest schedule so far under which the program fails in the same way.
   *
   * @return empty if it did not fail under the switches of its first failure, so that these are not
   *     all that matters
   */
  public Optional<Schedule> shortest() {
    return isReplayed ? Optional.of(Schedule.ofSwitches(best)) : Optional.empty();
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
