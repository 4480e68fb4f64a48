// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import io.queuepair.emulator.fabric.Scheduler.Timer;

/** Timer of an {@link EventLoop}: an event that is scheduled repeatedly. */
final class TimerEvent extends Event implements Timer {
  private final EventLoop loop;
  private final Runnable task;

  TimerEvent(EventLoop loop, Runnable task) {
    this.loop = loop;
    this.task = task;
  }

  @Override
  public void arm(long atNanos) {
    loop.move(this, atNanos);
  }

  @Override
  public void disarm() {
    loop.cancel(this);
  }

  @Override
  void run() {
    task.run();
  }
}
