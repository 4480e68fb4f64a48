// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.threads.ApplicationThreads;
import io.queuepair.emulator.threads.Schedule;
import io.queuepair.emulator.threads.ScheduleReducer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.TestAbortedException;

/**
 * The runs of a test with {@link Seeds}: in order of their seeds until one fails, each once, or
 * twice for a comparison of the captures. If threads were switched at random by a {@link
 * ThreadSchedule}, that failure is kept from JUnit at first: the test runs with fewer and fewer
 * switches, and last with the fewest that fail, whose failure JUnit sees.
 *
 * <p>JUnit may run several at the same time. One that fails then waits for all before it, so that
 * the failure that JUnit sees is that of the smallest seed; the others count as skipped.
 */
final class SeedSearch {
  /** How long a waiting thread leaves queued runs to other threads. */
  private static final long PAUSE_MILLIS = 10;

  private final long lastSeed;
  private final String seedsText;

  /** Most runs that leave out thread switches. */
  private final int maxReductions;

  /** Whether each seed runs a second time. */
  private final boolean isTwice;

  private long seed;
  private boolean isOver;

  /** The run that was made last; null before the first. */
  private Run run;

  /** Numbers of runs that have not ended. */
  private final SortedSet<Integer> underWay = new TreeSet<>();

  /** Number of runs that JUnit has queued, or is about to begin. */
  private int notBegun;

  /** Thread that makes runs; null before the first. */
  private Thread maker;

  /** Lowest number of a failed run; {@link Integer#MAX_VALUE} if none has failed. */
  private int firstFailed = Integer.MAX_VALUE;

  /** Reducer for the first failure that was kept from JUnit; null before that. */
  private ScheduleReducer reducer;

  private Throwable heldBack;

  private enum Role {
    SEARCH,
    REPEAT,
    REDUCE,
    SHOW
  }

  SeedSearch(long firstSeed, long lastSeed, int maxReductions, boolean isTwice) {
    this.maxReductions = maxReductions;
    this.isTwice = isTwice;
    seed = firstSeed;
    this.lastSeed = lastSeed;
    seedsText = firstSeed == lastSeed ? "" : ", the smallest of " + firstSeed + " to " + lastSeed;
  }

  /** Returns the next run, or null. After a failure it waits until all others have ended. */
  Run next() {
    await(() -> (firstFailed == Integer.MAX_VALUE && seed != lastSeed) || underWay.isEmpty());
    return make();
  }

  private synchronized Run make() {
    maker = Thread.currentThread();
    if (isOver) {
      return null;
    }
    run = reducer == null ? nextSeed() : nextSchedule();
    if (run != null) {
      underWay.add(run.number);
      notBegun++;
    }
    return run;
  }

  /**
   * Waits for a condition. JUnit's pool replaces the waiting thread meanwhile; if the pool has as
   * many threads as it may have, the thread runs what JUnit has put in its queue.
   */
  private void await(BooleanSupplier condition) {
    try {
      Pause pause = new Pause(condition);
      while (!pause.isReleasable()) {
        ForkJoinPool.managedBlock(pause);
        if (hasQueuedRuns(condition)) {
          WorkerQueue.runNext();
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /**
   * Whether the condition waits for runs that are probably in the queue of this thread, on top of
   * other tests: JUnit puts them into that of the thread that makes them.
   */
  private synchronized boolean hasQueuedRuns(BooleanSupplier condition) {
    return !condition.getAsBoolean() && notBegun > 0 && maker == Thread.currentThread();
  }

  /** One wait for a condition, of limited time. */
  private final class Pause implements ForkJoinPool.ManagedBlocker {
    private final BooleanSupplier condition;

    Pause(BooleanSupplier condition) {
      this.condition = condition;
    }

    @Override
    public boolean block() throws InterruptedException {
      synchronized (SeedSearch.this) {
        if (!condition.getAsBoolean()) {
          SeedSearch.this.wait(PAUSE_MILLIS);
        }
      }
      return true;
    }

    @Override
    public boolean isReleasable() {
      synchronized (SeedSearch.this) {
        return condition.getAsBoolean();
      }
    }
  }

  /** The tasks that a thread of a ForkJoinPool has forked; only a task may take them. */
  private static final class WorkerQueue extends RecursiveAction {
    private static final long serialVersionUID = 1;

    static void runNext() {
      ForkJoinTask<?> task = pollNextLocalTask();
      if (task != null) {
        task.quietlyInvoke();
      }
    }

    @Override
    protected void compute() {}
  }

  private Run nextSeed() {
    if (run == null) {
      return new Run(Role.SEARCH, null);
    }
    if (isTwice && run.role == Role.SEARCH) {
      return new Run(Role.REPEAT, null);
    }
    if (seed == lastSeed) {
      return null;
    }
    seed++;
    return new Run(Role.SEARCH, null);
  }

  private Run nextSchedule() {
    if (run.role == Role.REDUCE) {
      reducer.ran(run.made, run.failure);
    }
    Optional<Schedule> next = reducer.next();
    if (next.isPresent()) {
      return new Run(Role.REDUCE, next.get());
    }
    isOver = true;
    return new Run(Role.SHOW, reducer.shortest().orElse(null));
  }

  private static boolean hasSwitchesOfChance(TestNetwork network) {
    ApplicationThreads threads = network.emulator().threads();
    return !threads.switches().isEmpty() && !network.settings().schedule().equals(threads.replay());
  }

  private synchronized void reduce(Run failed) {
    seed = failed.seedOfRun;
    heldBack = failed.failure;
    reducer = new ScheduleReducer(failed.made, failed.failure, maxReductions);
  }

  /** Statements with a probability so far, and whether any seed has carried them out. */
  private final Map<String, Boolean> ofChance = new LinkedHashMap<>();

  final class Run
      implements TestTemplateInvocationContext,
          TestInstancePreConstructCallback,
          TestWatcher,
          ExecutionCondition {
    private final Role role;
    private final Schedule schedule;
    private final long seedOfRun = seed;
    private final int number = run == null ? 1 : run.number + 1;

    /** The first run with the seed, if this is the second; or null. */
    private final Run first;

    /** The capture of the first run with the seed, or null. */
    private byte[] capture;

    private Schedule made = Schedule.parse("switches()");
    private Throwable failure;

    private Run(Role role, Schedule schedule) {
      this.role = role;
      this.schedule = schedule;
      first = role == Role.REPEAT ? run : null;
    }

    long seed() {
      return seedOfRun;
    }

    /** Waits for all runs before this one, or for a failure; returns whether none has failed. */
    private boolean awaitTurn() {
      await(() -> underWay.first() == number || firstFailed < number);
      return !isInVain();
    }

    /** Whether an earlier run has failed, so that the outcome of this one is ignored. */
    private boolean isInVain() {
      synchronized (SeedSearch.this) {
        return firstFailed < number && (role == Role.SEARCH || role == Role.REPEAT);
      }
    }

    private void end(boolean hasFailed) {
      synchronized (SeedSearch.this) {
        isOver |= hasFailed;
        underWay.remove(number);
        SeedSearch.this.notifyAll();
      }
    }

    private void noteFailure() {
      synchronized (SeedSearch.this) {
        firstFailed = Math.min(firstFailed, number);
        SeedSearch.this.notifyAll();
      }
    }

    /** Order of the threads; empty for that of the annotations. */
    Optional<Schedule> schedule() {
      return Optional.ofNullable(schedule);
    }

    /**
     * Judges statements with a probability over all seeds, as each need not happen in a single run.
     *
     * @param counts how often each statement was carried out in this run
     * @return statements that need not have happened in this run: all with a probability as long as
     *     seeds are left, then those that another seed has carried out
     */
    Set<String> excused(Map<String, Long> counts) {
      boolean isLast = role == Role.SEARCH && seedOfRun == lastSeed && awaitTurn();
      synchronized (SeedSearch.this) {
        counts.forEach(
            (statement, count) -> {
              if (statement.contains("%")) {
                ofChance.merge(statement, count > 0, Boolean::logicalOr);
              }
            });
        return ofChance.keySet().stream()
            .filter(statement -> !isLast || ofChance.get(statement))
            .collect(Collectors.toSet());
      }
    }

    /** Text for a report if fewer switches may be enough; empty if all has been tried. */
    Optional<String> reductionText() {
      return reducer == null || reducer.isComplete()
          ? Optional.empty()
          : Optional.of(
              "fewer switches may be enough: leaving them out ended after "
                  + maxReductions
                  + " runs (-D"
                  + TestSettings.REDUCTION_PARAMETER
                  + ")");
    }

    /** Text about the seed for a report. */
    String seedText() {
      return "seed " + seedOfRun + (seedsText.isEmpty() ? "" : seedsText + " that fails");
    }

    /**
     * Handles a failure of the test. Random switches are left out in later runs; those that a
     * schedule names are not.
     *
     * @return the failure that JUnit sees
     */
    Throwable fail(Throwable thrown, Optional<TestNetwork> network) {
      noteFailure();
      if (!awaitTurn()) {
        return new TestAbortedException("fails, as a run before it does: " + thrown);
      }
      if (role == Role.REPEAT) {
        thrown.addSuppressed(
            new AssertionError("seed " + seedOfRun + " has passed, and fails in its second run"));
        return thrown;
      }
      boolean canReduce = network.filter(SeedSearch::hasSwitchesOfChance).isPresent();
      if (role == Role.SHOW || (role == Role.SEARCH && !canReduce)) {
        return thrown;
      }
      if (failure == null) {
        failure = thrown;
        made = network.orElseThrow().emulator().threads().replay();
        if (role == Role.SEARCH) {
          reduce(this);
        }
      }
      return new TestAbortedException(
          "fails, as the last run of this test will with the fewest switches: " + thrown);
    }

    /**
     * Keeps the capture of a test that has passed, or compares it with that of the first run with
     * the seed. The network must be closed.
     */
    Optional<AssertionError> compare(TestNetwork network) {
      boolean isCompared = isTwice && network.settings().kind() == NetworkKind.VIRTUAL;
      if (!isCompared || (role != Role.SEARCH && role != Role.REPEAT)) {
        return Optional.empty();
      }
      byte[] captured = CaptureComparison.read(network.files().capture());
      if (role == Role.SEARCH) {
        capture = captured;
      }
      if (role == Role.SEARCH || !awaitTurn() || first.capture == null) {
        return Optional.empty();
      }
      return CaptureComparison.difference(
              first.capture, captured, network.emulator().threads().nonDeterminism())
          .map(text -> new AssertionError("two runs with seed " + seedOfRun + " differ: " + text));
    }

    /** Handles a passed test: an error if it is the last run, where the failure must recur. */
    Optional<AssertionError> pass(Optional<ApplicationThreads> threads) {
      made = threads.map(ApplicationThreads::replay).orElse(made);
      if (role != Role.SHOW) {
        return Optional.empty();
      }
      List<String> nonDeterminism =
          threads.map(ApplicationThreads::nonDeterminism).orElse(List.of());
      StringBuilder text = new StringBuilder("seed " + seedOfRun + " has failed, and now passes:");
      text.append(" what the test does is not all in the seed");
      nonDeterminism.forEach(line -> text.append("\n  ").append(line.replace("\n", "\n  ")));
      return Optional.of(new AssertionError(text.toString(), heldBack));
    }

    @Override
    public String getDisplayName(int invocationIndex) {
      return switch (role) {
        case SEARCH -> "seed " + seedOfRun;
        case REPEAT -> "seed " + seedOfRun + " again";
        case REDUCE -> "seed " + seedOfRun + " with fewer switches";
        case SHOW -> "seed " + seedOfRun + " with the fewest switches";
      };
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
      return ExtensionContextScope.TEST_METHOD;
    }

    /** Makes the run known to the constructor of the test, which JUnit calls before the next. */
    @Override
    public void preConstructTestInstance(
        TestInstanceFactoryContext factory, ExtensionContext context) {
      context.getStore(QueuepairExtension.NAMESPACE).put(Run.class, this);
    }

    @Override
    public void prepareInvocation(ExtensionContext context) {
      synchronized (SeedSearch.this) {
        notBegun--;
      }
      context.getStore(QueuepairExtension.NAMESPACE).put(Run.class, this);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return isInVain()
          ? ConditionEvaluationResult.disabled("a run before it has failed")
          : ConditionEvaluationResult.enabled("no run before it has failed");
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
      end(false);
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
      end(false);
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
      end(false);
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
      noteFailure();
      end(true);
    }
  }
}
