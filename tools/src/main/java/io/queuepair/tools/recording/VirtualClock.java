// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import io.queuepair.emulator.fabric.Scheduler;
import java.util.function.BooleanSupplier;

/** Lets virtual time pass, as far as asked and no further. */
public final class VirtualClock {
  private final Scheduler scheduler;
  private final Scheduler.Timer alarm;
  private boolean hasRung;

  public VirtualClock(Scheduler scheduler) {
    this.scheduler = scheduler;
    alarm = scheduler.timer(() -> hasRung = true);
  }

  /** Runs the network for a time, or until something holds, which is asked after every event. */
  public void run(long nanos, BooleanSupplier isDone) {
    hasRung = false;
    alarm.arm(scheduler.nowNanos() + nanos);
    boolean isBusy = true;
    while (isBusy && !hasRung && !isDone.getAsBoolean()) {
      isBusy = scheduler.runNext();
    }
    alarm.disarm();
  }

  /**
   * Runs so many events at most, until something holds or nothing is under way; says whether that
   * is so.
   */
  public boolean runEvents(int events, BooleanSupplier isDone) {
    for (int left = events; left > 0; left--) {
      if (isDone.getAsBoolean() || !scheduler.runNext()) {
        return true;
      }
    }
    return false;
  }

  /** {@return the time of the network, in nanoseconds} */
  public long nowNanos() {
    return scheduler.nowNanos();
  }

  /** Runs the network for a time. */
  public void run(long nanos) {
    run(nanos, () -> false);
  }
}
