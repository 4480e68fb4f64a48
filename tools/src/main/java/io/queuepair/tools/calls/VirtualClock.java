package io.queuepair.tools.calls;

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

  /**
   * Runs the network until something holds, or for a time.
   *
   * @param nanos how long at most
   * @param isDone what to wait for; asked after every event
   */
  public void run(long nanos, BooleanSupplier isDone) {
    hasRung = false;
    alarm.arm(scheduler.nowNanos() + nanos);
    boolean isBusy = true;
    while (isBusy && !hasRung && !isDone.getAsBoolean()) {
      isBusy = scheduler.runNext();
    }
    alarm.disarm();
  }

  /** Runs the network for a time. */
  public void run(long nanos) {
    run(nanos, () -> false);
  }
}
