// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.fabric.Scheduler;

/** The timer of a device, set to the next deadline of its engine. Guarded by the driver's lock. */
final class DeviceTimer {
  private final Scheduler.Timer timer;
  private boolean isArmed;
  private boolean isStopped;
  private long atNanos;

  DeviceTimer(Scheduler.Timer timer) {
    this.timer = timer;
  }

  void fired() {
    isArmed = false;
  }

  /** Sets the timer to the next deadline of the engine. */
  void reschedule(Engine engine) {
    if (isStopped) {
      return;
    }
    if (!engine.hasDeadline()) {
      if (isArmed) {
        timer.disarm();
        isArmed = false;
      }
      return;
    }
    long nanos = engine.nextDeadlineNanos();
    if (!isArmed || nanos != atNanos) {
      timer.arm(nanos);
      isArmed = true;
      atNanos = nanos;
    }
  }

  /** Stops the timer: it fires no more, whatever the deadline of the engine. */
  void stop() {
    isStopped = true;
    timer.disarm();
  }
}
