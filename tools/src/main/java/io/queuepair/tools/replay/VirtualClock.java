package io.queuepair.tools.replay;

import io.queuepair.emulator.fabric.Scheduler;
import java.util.function.BooleanSupplier;

/** Lets virtual time pass, as far as asked and no further. */
final class VirtualClock {
  private final Scheduler scheduler;
  private final Scheduler.Timer alarm;
  private boolean hasRung;

  VirtualClock(Scheduler scheduler) {
    this.scheduler = scheduler;
    alarm = scheduler.timer(() -> hasRung = true);
  }

  /**
   * Runs the network until something holds, or for a time.
   *
   * @param nanos how long at most
   * @param isDone what to wait for; asked after every event
   */
  void run(long nanos, BooleanSupplier isDone) {
    hasRung = false;
    alarm.arm(scheduler.nowNanos() + nanos);
    while (!isDone.getAsBoolean() && !hasRung && scheduler.runNext()) {
      continue;
    }
    alarm.disarm();
  }

  /** Runs the network for a time. */
  void run(long nanos) {
    run(nanos, () -> false);
  }
}
