// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Clock and timers of a network, and the way in which its devices make progress. */
public interface Scheduler {
  /** Threads that move packets and fire timers. */
  enum ProgressMode {
    /** Waiting callers run the network; time is simulated and jumps from event to event. */
    VIRTUAL,
    /** Waiting callers run the network's I/O on their own thread; time is real. */
    CALLER_DRIVEN,
    /**
     * A thread of the network, or with {@link Scheduler#lease} a thread that waits, runs the
     * network; time is real.
     */
    BACKGROUND
  }

  /** Timer that fires once for every time it is armed. */
  interface Timer {
    /**
     * Arms the timer, replacing an earlier deadline. A deadline in the past fires soon.
     *
     * @param deadlineNanos time by {@link Scheduler#nowNanos}
     */
    void arm(long deadlineNanos);

    /** Disarms the timer; a task that has already started still runs to its end. */
    void disarm();
  }

  /**
   * Current time of the network.
   *
   * @return nanoseconds from an arbitrary origin; compare by subtraction
   */
  long nowNanos();

  /**
   * Time of day at the origin of {@link #nowNanos}.
   *
   * @return nanoseconds since 1970, constant for the life of the network; 0 in simulated time
   */
  default long epochNanos() {
    return 0;
  }

  /**
   * Creates a timer.
   *
   * @param task task to run when the timer fires, on the thread that makes progress, holding no
   *     lock
   * @return a disarmed timer
   */
  Timer timer(Runnable task);

  /**
   * Threads that make progress.
   *
   * @return constant for the life of the network
   */
  ProgressMode progressMode();

  /**
   * Value of {@link #epochNanos} for a network whose time is that of {@link System#nanoTime}.
   *
   * @param nowNanos current time of the network
   * @return nanoseconds since 1970 at the origin of that time
   */
  static long epochNanosAt(long nowNanos) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()) - nowNanos;
  }

  /**
   * Lease by which callers can run a background network themselves.
   *
   * @return constant for the life of the network
   */
  default LoopLease lease() {
    return LoopLease.NONE;
  }

  /**
   * Access of threads to the network in virtual time.
   *
   * @return empty unless time is virtual; constant for the life of the network
   */
  default Optional<VirtualNetwork> virtualNetwork() {
    return Optional.empty();
  }

  /**
   * Registry of blocked work of the network.
   *
   * @return the same object at every call; {@link BlockedWork#none} unless time is virtual
   */
  default BlockedWork blockedWork() {
    return BlockedWork.none();
  }

  /**
   * Runs the next event of the network on the calling thread, if callers run the network by {@link
   * #progressMode}.
   *
   * @return false if nothing was left to run, or if a background thread runs the network
   */
  boolean runNext();

  /**
   * Runs the next event if it is due by a given time; otherwise lets that time come. For waits with
   * a time limit.
   *
   * @param endNanos time by {@link #nowNanos}
   * @return false if a background thread runs the network
   */
  boolean runNextUntil(long endNanos);

  /**
   * Runs what is ready on the calling thread. A poll that finds nothing calls this, so that a loop
   * around it makes progress. Unlike {@link #runNext} it does not wait in real time. It also runs a
   * background network, if no other thread does at this moment.
   *
   * @return false if there was nothing to run, if another thread runs the network, or if polls are
   *     not to run it
   */
  default boolean runReady() {
    return runNext();
  }
}
