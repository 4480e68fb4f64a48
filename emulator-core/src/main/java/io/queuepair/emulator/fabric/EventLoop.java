// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/** Scheduler that runs {@link Event}s, including timers. */
interface EventLoop extends Scheduler {
  /** Schedules an event that is not scheduled yet. Ignored after {@link #close}. */
  void schedule(Event event, long deadlineNanos);

  /** Schedules the timer, or moves it if it is scheduled already. Ignored after {@link #close}. */
  void move(TimerEvent timer, long deadlineNanos);

  /** Removes the timer, if it is scheduled. */
  void cancel(TimerEvent timer);

  /** Drops all events and runs none from now on. The caller holds no lock. */
  void close();

  @Override
  default Timer timer(Runnable task) {
    return new TimerEvent(this, task);
  }
}
