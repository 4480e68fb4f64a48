// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** The clock and timers of a network, and how its devices make progress. */
public interface Scheduler {
  /** Who moves packets and fires timers. */
  enum ProgressMode {
    /** Waiting callers run the network; time is simulated and jumps from event to event. */
    VIRTUAL,
    /** Waiting callers run the network's I/O on their own thread; time is real. */
    CALLER_DRIVEN,
    /**
     * A thread of the network, or by {@link Scheduler#lease} one that waits for it; time is real.
     */
    BACKGROUND
  }

  /** One timer, which fires once for every time it is armed. */
  interface Timer {
    /**
     * Arms the timer, replacing an earlier deadline. A deadline in the past fires soon.
     *
     * @param deadlineNanos time by {@link Scheduler#nowNanos}
     */
    void arm(long deadlineNanos);

    /** Disarms the timer; a task already started still runs to its end. */
    void disarm();
  }

  /**
   * A participant of the network that reports what it waits for, when a wait turns out to be
   * deadlocked. Asked by the thread that runs the network, holding no lock.
   */
  interface BlockedWorkReporter {
    /**
     * What it still waits for, and why that does not come.
     *
     * @return one sentence each, a few at most; the same for the same run
     */
    List<String> describeBlockedWork();

    /**
     * How much was done so far: work that completed, requests that were taken, retries that were
     * used up. What can go on for ever without leading anywhere does not count.
     *
     * @return a number that only grows
     */
    default long progressCount() {
      return 0;
    }

    /**
     * Whether something will become due that leads somewhere.
     *
     * @return false if nothing will, or only the next try of what may be tried for ever
     */
    default boolean hasPendingProgress() {
      return false;
    }
  }

  /**
   * Takes a witness into account from now on; of no use unless callers make progress.
   *
   * @param reporter who is asked
   */
  default void add(BlockedWorkReporter reporter) {}

  /**
   * Forgets a witness.
   *
   * @param reporter who is asked no more
   */
  default void remove(BlockedWorkReporter reporter) {}

  /**
   * Everybody who can say what it waits for.
   *
   * @return in order of addition
   */
  default List<BlockedWorkReporter> witnesses() {
    return List.of();
  }

  /**
   * A wait has failed because it could never end.
   *
   * @param message the message for its caller
   */
  default void recordDeadlock(String message) {}

  /**
   * The waits that failed because they could never end; of use where programs hide such failures.
   *
   * @return the messages for their callers, oldest first; the first 16 are kept
   */
  default List<String> deadlocks() {
    return List.of();
  }

  /**
   * A verb was refused, as its thread may not use the network.
   *
   * @param description which thread, in which verb, and where
   */
  default void recordRefusal(String description) {}

  /**
   * The verbs that were refused, as their threads may not use the network: what runs tasks for a
   * program often hides that from it.
   *
   * @return one sentence each, oldest first; the first 16 that differ are kept
   */
  default List<String> refusals() {
    return List.of();
  }

  /**
   * The calling thread begins to use the network, for the length of a call or a wait. It may do so
   * again while it does.
   *
   * @throws FabricException if another thread uses it at this moment, and it is for one at a time,
   *     as in virtual time
   */
  default void acquire() {}

  /**
   * A verb begins, outside of all locks: where threads take turns, others may have theirs first.
   *
   * @param verb which one
   * @throws FabricException as {@link #acquire}
   */
  default void beginVerb(String verb) {}

  /**
   * Threads of the application that take turns on the network.
   *
   * @return empty unless time is virtual and the emulator has started threads
   */
  default Optional<ThreadTurns> turns() {
    return Optional.empty();
  }

  /**
   * The network as threads need it that are to take turns.
   *
   * @return empty unless time is virtual
   */
  default Optional<VirtualNetwork> virtualNetwork() {
    return Optional.empty();
  }

  /** Ends what {@link #acquire} began. */
  default void release() {}

  /** A poll, or a wait with a time limit, has found something. */
  default void pollFoundSomething() {}

  /**
   * A poll has found nothing, or a wait with a time limit. In virtual time a loop around it would
   * never end if nothing is left to happen.
   *
   * @return why it is of no use to poll again; empty as long as it may be
   */
  default Optional<String> pollFoundNothing() {
    return Optional.empty();
  }

  /**
   * The time.
   *
   * @return nanoseconds from an arbitrary origin; compare by subtraction
   */
  long nowNanos();

  /**
   * The time of day at the origin of {@link #nowNanos}.
   *
   * @return nanoseconds since 1970, constant for the life of the network; 0 in simulated time
   */
  default long epochNanos() {
    return 0;
  }

  /**
   * Makes a timer.
   *
   * @param task run when it fires, by the thread that makes progress, holding no lock
   * @return a disarmed timer
   */
  Timer timer(Runnable task);

  /**
   * Who makes progress.
   *
   * @return constant for the life of the network
   */
  ProgressMode progressMode();

  /**
   * What {@link #epochNanos} is for a network whose time is that of {@link System#nanoTime}.
   *
   * @param nowNanos the time of the network now
   * @return nanoseconds since 1970 at its origin
   */
  static long epochNanosAt(long nowNanos) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()) - nowNanos;
  }

  /**
   * How callers may run a network in the background themselves.
   *
   * @return constant for the life of the network
   */
  default LoopLease lease() {
    return LoopLease.NONE;
  }

  /**
   * Whether a poll that finds nothing runs one event, so that a loop around poll makes progress.
   *
   * @return true where callers make progress, unless the network is configured otherwise
   */
  default boolean pollRunsEvents() {
    return progressMode() != ProgressMode.BACKGROUND;
  }

  /**
   * Runs the next event of the network on the calling thread, if {@link #progressMode} says that
   * callers do.
   *
   * @return false if nothing was left to run, or if a background thread does that
   */
  boolean runNext();

  /**
   * The same, but lets a moment come if the next event is later: for waits that end then.
   *
   * @param endNanos time by {@link #nowNanos}
   * @return false if a background thread does that
   */
  boolean runNextUntil(long endNanos);

  /**
   * Runs what is ready on the calling thread: what a poll does that finds nothing. Unlike {@link
   * #runNext} it does not wait in real time; in the background possibly no other thread runs the
   * network right now.
   *
   * @return false if there was nothing to run, or another thread does that
   */
  default boolean runReady() {
    return runNext();
  }
}
