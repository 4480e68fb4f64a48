// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports that a program failed under a schedule; the cause is its exception. */
public final class InterleavingFailure extends AssertionError {
  private static final long serialVersionUID = 1L;
  private static final int MAX_LINES = 40;

  /** Smallest seed that fails. */
  private final long seed;

  private final transient @Nullable Schedule schedule;

  private InterleavingFailure(
      String message, @Nullable Throwable cause, long seed, Schedule schedule) {
    super(message, cause);
    this.seed = seed;
    this.schedule = schedule;
  }

  static InterleavingFailure of(
      long seed, Schedule schedule, @Nullable Decisions decisions, @Nullable Throwable failure) {
    List<Decisions.TakenSwitch> taken = decisions == null ? List.of() : decisions.taken();
    StringBuilder text = new StringBuilder("seed " + seed + " fails: " + failure);
    text.append("\nto run it again: Schedule.parse(\"").append(schedule).append("\")");
    text.append("\nswitches: ").append(taken.size());
    taken.stream().limit(MAX_LINES).forEach(takenSwitch -> text.append("\n  ").append(takenSwitch));
    if (taken.size() > MAX_LINES) {
      text.append("\n  and ").append(taken.size() - MAX_LINES).append(" more");
    }
    return new InterleavingFailure(text.toString(), failure, seed, schedule);
  }

  /**
   * The smallest seed that fails.
   *
   * @return the seed, for {@link Schedule#random}
   */
  public long seed() {
    return seed;
  }

  /**
   * The shortest schedule found that fails in the same way.
   *
   * @return the schedule, whose text replays it; null in a copy that was serialized
   */
  public @Nullable Schedule schedule() {
    return schedule;
  }
}
