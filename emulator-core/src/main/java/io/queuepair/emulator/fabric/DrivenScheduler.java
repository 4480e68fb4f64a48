// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduler by the system clock, whose events a thread of its owner runs. That thread may have
 * other work, and decides itself when it sleeps.
 */
public final class DrivenScheduler extends ClockScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(DrivenScheduler.class);

  private final Runnable wakeUp;

  /** Thread that calls {@link #runDue}; null before the first call. */
  private volatile @Nullable Thread owner;

  /**
   * Creates a scheduler without events.
   *
   * @param wakeUp called by a thread other than the owner's when an event became due earlier than
   *     {@link #nanosToNext} said; must not block, nor call this scheduler
   */
  public DrivenScheduler(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  @Override
  void signal() {
    if (Thread.currentThread() != owner) {
      wakeUp.run();
    }
  }

  /**
   * Runs due events, holding no lock. All calls come from the same thread. An event that fails is
   * logged: a bug of one device must not stop the others.
   *
   * @param most maximum number of events; an event counts as one with all that it absorbs
   * @return number of events that were run
   */
  public int runDue(int most) {
    if (owner == null) {
      owner = Thread.currentThread();
    }
    int run = 0;
    for (Event event = next(); event != null; event = run < most ? next() : null) {
      run++;
      try {
        event.run();
      } catch (RuntimeException | Error e) {
        LOG.error("An event of the network failed; the network continues.", e);
      }
    }
    return run;
  }

  private @Nullable Event next() {
    lock().lock();
    try {
      return takeDue();
    } finally {
      lock().unlock();
    }
  }

  /**
   * Time until the next event.
   *
   * @return nanoseconds from now, 0 or less if it is due; {@code Long.MAX_VALUE} if there is none
   */
  public long nanosToNext() {
    lock().lock();
    try {
      return waitNanos();
    } finally {
      lock().unlock();
    }
  }
}
