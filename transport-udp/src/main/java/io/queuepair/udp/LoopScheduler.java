// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.LoopLease;
import io.queuepair.emulator.fabric.Scheduler;

/** Real time, and timers that fire on the event loop. */
final class LoopScheduler implements Scheduler {
  private final ProgressLoop loop;
  private final DeviceExecutor executor;
  private final long epochNanos = Scheduler.epochNanosAt(System.nanoTime());

  LoopScheduler(UdpContext context) {
    loop = context.loop();
    executor = context.executor();
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public Timer timer(Runnable task) {
    return new LoopTimer(task);
  }

  @Override
  public long epochNanos() {
    return epochNanos;
  }

  @Override
  public ProgressMode progressMode() {
    return loop.progress();
  }

  @Override
  public LoopLease lease() {
    return loop.lease();
  }

  @Override
  public boolean runNext() {
    return loop.runNext(Long.MAX_VALUE);
  }

  @Override
  public boolean runNextUntil(long endNanos) {
    return loop.runNext(endNanos - System.nanoTime());
  }

  @Override
  public boolean runReady() {
    return loop.runReady();
  }

  /**
   * A timer that is moved often and fires seldom, such as a retry timer. Arming it for later than
   * its planned wake-up costs nothing: that wake-up plans the next one.
   */
  private final class LoopTimer extends LoopTimers.Timed implements Timer {
    private final Runnable task;
    private final Runnable planning = this::plan;
    // Guarded by this, as any thread may call arm().
    private boolean isArmed;
    private long deadlineNanos;
    private boolean isPlanned;
    private long plannedNanos;

    LoopTimer(Runnable task) {
      this.task = task;
    }

    @Override
    public void arm(long deadline) {
      synchronized (this) {
        isArmed = true;
        deadlineNanos = deadline;
        if (isPlanned && deadline - plannedNanos >= 0) {
          return;
        }
        isPlanned = true;
        plannedNanos = deadline;
      }
      if (executor.loop().inEventLoop()) {
        plan();
      } else {
        executor.executeLater(planning);
      }
    }

    @Override
    public synchronized void disarm() {
      isArmed = false;
    }

    private void plan() {
      long nanos;
      synchronized (this) {
        if (!isPlanned) {
          return;
        }
        nanos = plannedNanos;
      }
      loop.timers().plan(this, nanos);
    }

    @Override
    void wakeUp() {
      boolean isDue;
      synchronized (this) {
        // A deadline that has moved is planned again, even if late, to keep the order of timers.
        isDue = isArmed && plannedNanos - deadlineNanos >= 0;
        isPlanned = isArmed && !isDue;
        plannedNanos = deadlineNanos;
        isArmed &= !isDue;
      }
      if (isDue) {
        executor.run(task);
      } else {
        plan();
      }
    }
  }
}
