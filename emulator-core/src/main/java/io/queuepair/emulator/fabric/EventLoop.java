// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/** A scheduler that runs {@link Event}s, including timers. */
interface EventLoop extends Scheduler {
  /** Schedules an event that is not scheduled yet. Ignored once closed. */
  void schedule(Event event, long deadlineNanos);

  /** Schedules the timer, or moves it if it is scheduled already. Ignored once closed. */
  void move(TimerEvent timer, long deadlineNanos);

  /** Takes the timer back, if it has not run. */
  void cancel(TimerEvent timer);

  /** Runs nothing any more. The caller holds no lock. */
  void close();

  @Override
  default Timer timer(Runnable task) {
    return new TimerEvent(this, task);
  }
}
