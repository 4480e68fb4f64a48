// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import io.queuepair.emulator.fabric.Scheduler;
import java.util.function.BooleanSupplier;

/** Advances virtual time by exactly the requested amount. */
public final class VirtualClock {
  private final Scheduler scheduler;
  private final Scheduler.Timer timer;
  private boolean hasRung;

  public VirtualClock(Scheduler scheduler) {
    this.scheduler = scheduler;
    timer = scheduler.timer(() -> hasRung = true);
  }

  /** Runs the network for a time, or until a condition, checked after every event, holds. */
  public void run(long nanos, BooleanSupplier isDone) {
    hasRung = false;
    timer.arm(scheduler.nowNanos() + nanos);
    boolean isBusy = true;
    while (isBusy && !hasRung && !isDone.getAsBoolean()) {
      isBusy = scheduler.runNext();
    }
    timer.disarm();
  }

  /**
   * Runs at most a number of events, until a condition holds or no event is left; returns false if
   * the number was reached first.
   */
  public boolean runEvents(int events, BooleanSupplier isDone) {
    for (int left = events; left > 0; left--) {
      if (isDone.getAsBoolean() || !scheduler.runNext()) {
        return true;
      }
    }
    return false;
  }

  public long nowNanos() {
    return scheduler.nowNanos();
  }

  public void run(long nanos) {
    run(nanos, () -> false);
  }
}
