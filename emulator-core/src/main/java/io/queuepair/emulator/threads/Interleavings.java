// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program under many schedules, and reduces one that fails to the fewest switches.
 *
 * <pre>{@code
 * Interleavings.explore(1, 1_000, schedule -> {
 *   try (Emulator emulator = Emulator.inMemory()) {
 *     emulator.threads().schedule(schedule);
 *     ...
 *   }
 * });
 * }</pre>
 */
public final class Interleavings {
  /** A program that is run again and again, from the beginning. */
  @FunctionalInterface
  public interface Program {
    /**
     * Runs the program once.
     *
     * @param schedule the schedule for the threads of the only emulator that the program makes
     * @throws Exception if it fails; an {@link AssertionError} is a failure, too
     */
    void run(Schedule schedule) throws Exception;
  }

  /** A run, its decisions and its failure. */
  private static final class Run {
    private @Nullable Decisions decisions;
    private @Nullable Throwable failure;

    void begin(Decisions newDecisions) {
      if (decisions != null) {
        throw new IllegalStateException("a schedule that is explored is for one emulator");
      }
      decisions = newDecisions;
    }

    Schedule made() {
      return decisions == null ? Schedule.ofSwitches(List.of()) : decisions.made().schedule();
    }
  }

  private Interleavings() {}

  /**
   * Runs a program under random schedules, in order of their seeds, until one fails.
   *
   * @param firstSeed the first seed
   * @param seeds number of seeds, 1 or more
   * @param program what to run
   * @throws InterleavingFailure for the smallest seed that fails; it has the seed, the text of the
   *     shortest schedule found that fails in the same way, and a list of its switches
   */
  public static void explore(long firstSeed, int seeds, Program program) {
    Optional<InterleavingFailure> failure = find(firstSeed, seeds, program);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /**
   * Looks for a schedule under which a program fails.
   *
   * @param firstSeed the first seed
   * @param seeds number of seeds, 1 or more
   * @param program what to run
   * @return what {@link #explore} throws; empty if no seed fails
   */
  public static Optional<InterleavingFailure> find(long firstSeed, int seeds, Program program) {
    Objects.requireNonNull(program, "program");
    if (seeds < 1) {
      throw new IllegalArgumentException(seeds + " seeds are none; 1 or more");
    }
    for (int i = 0; i < seeds; i++) {
      long seed = firstSeed + i;
      Run run = run(program, Schedule.random(seed));
      if (run.failure != null) {
        return Optional.of(reduce(program, seed, run));
      }
    }
    return Optional.empty();
  }

  private static Run run(Program program, Schedule schedule) {
    Run run = new Run();
    try {
      program.run(schedule.recordedBy(run::begin));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the exploration was interrupted", interrupted);
    } catch (Exception | AssertionError failure) {
      run.failure = failure;
    }
    return run;
  }

  private static InterleavingFailure reduce(Program program, long seed, Run failingRun) {
    ScheduleReducer reducer = new ScheduleReducer(failingRun.made(), failingRun.failure);
    Run bestRun = failingRun;
    Optional<Schedule> next = reducer.next();
    while (next.isPresent()) {
      Run run = run(program, next.get());
      if (reducer.ran(run.made(), run.failure)) {
        bestRun = run;
      }
      next = reducer.next();
    }
    Schedule schedule = reducer.shortest().orElseGet(() -> Schedule.random(seed));
    return InterleavingFailure.of(seed, schedule, bestRun.decisions, bestRun.failure);
  }
}
