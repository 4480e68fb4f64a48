// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The clock and timers of a network, and how its devices make progress. */
public interface Scheduler {
  /** Threads that move packets and fire timers. */
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
   * Kind of progress.
   *
   * @return constant for the life of the network
   */
  ProgressMode progressMode();

  /**
   * Value of {@link #epochNanos} for a network whose time is that of {@link System#nanoTime}.
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
   * The network as its threads need it in virtual time.
   *
   * @return empty unless time is virtual; constant for the life of the network
   */
  default Optional<VirtualNetwork> virtualNetwork() {
    return Optional.empty();
  }

  /**
   * Waits of its participants.
   *
   * @return the same object at every call; {@link BlockedWork#none} unless time is virtual
   */
  default BlockedWork blockedWork() {
    return BlockedWork.none();
  }

  /**
   * Runs the next event of the network on the calling thread, if {@link #progressMode} says that
   * callers do.
   *
   * @return false if nothing was left to run, or if a background thread does that
   */
  boolean runNext();

  /**
   * Runs the next event, or lets a moment come if the event is later: for waits that end then.
   *
   * @param endNanos time by {@link #nowNanos}
   * @return false if a background thread does that
   */
  boolean runNextUntil(long endNanos);

  /**
   * Runs what is ready on the calling thread: what a poll does that finds nothing, so that a loop
   * around it makes progress. Unlike {@link #runNext} it does not wait in real time; in the
   * background possibly no other thread runs the network right now.
   *
   * @return false if there was nothing to run, if another thread does that, or if polls are not to
   *     run the network
   */
  default boolean runReady() {
    return runNext();
  }
}
