// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.fabric.Scheduler;
import java.time.Duration;

/** Lets a network in virtual time run. */
public record VirtualTime(Scheduler scheduler) {
  private static final int MAX_EVENTS = 5_000_000;

  /** Until nothing is left to happen. */
  public void drain() {
    for (int event = 0; event < MAX_EVENTS; event++) {
      if (!scheduler.runNext()) {
        return;
      }
    }
    throw new AssertionError("the network does not come to rest");
  }

  /** For some time. */
  public void run(Duration time) {
    boolean[] isOver = new boolean[1];
    Scheduler.Timer timer = scheduler.timer(() -> isOver[0] = true);
    timer.arm(scheduler.nowNanos() + time.toNanos());
    while (!isOver[0]) {
      scheduler.runNext();
    }
  }
}
