// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ends the process, with the stack of the hanging thread, if a run makes no progress. Looks at
 * processor time, of which a thread on a busy machine may get little.
 */
final class FuzzWatchdog implements AutoCloseable {
  /** An episode takes two seconds. */
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long LOOK_SECONDS = 5;
  private static final int HANGING = 1;

  private final PrintWriter out;
  private final Thread watched = Thread.currentThread();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ScheduledExecutorService timer;
  private volatile long datagrams;
  private volatile long fedNanos;

  FuzzWatchdog(PrintWriter out) {
    this.out = out;
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "watchdog");
              thread.setDaemon(true);
              return thread;
            });
    feed(0);
    var unused =
        timer.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** So much has been done. */
  void feed(long newDatagrams) {
    datagrams = newDatagrams;
    fedNanos = usedNanos();
  }

  private long usedNanos() {
    return threads.getThreadCpuTime(watched.getId());
  }

  private void look() {
    if (usedNanos() - fedNanos < TIMEOUT_NANOS) {
      return;
    }
    out.println("violation: the device hangs, somewhere behind datagram " + datagrams + ":");
    for (StackTraceElement element : watched.getStackTrace()) {
      out.println("  at " + element);
    }
    Runtime.getRuntime().halt(HANGING);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
