// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The system clock, whose events are run by a thread of its owner: one that has other things to do,
 * too, and decides itself when it sleeps.
 */
public final class DrivenScheduler extends ClockScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(DrivenScheduler.class);

  private final Runnable wakeUp;

  /** That of the owner, once it has run something. */
  private volatile @Nullable Thread owner;

  /**
   * Nothing is scheduled yet.
   *
   * @param wakeUp called by another thread than the owner's when something is to be run earlier
   *     than {@link #nanosToNext} said; must not block, nor call this scheduler
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
   * Runs what is due, holding no lock. Always called by the same thread. An event that fails is
   * logged: a bug of one device must not stop the others.
   *
   * @param most how many events; what arrives together is one
   * @return how many were run
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
   * When there is something to run.
   *
   * @return nanoseconds from now, 0 or less if it is due; {@code Long.MAX_VALUE} if there is
   *     nothing
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
