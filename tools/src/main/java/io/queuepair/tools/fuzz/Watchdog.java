package io.queuepair.tools.fuzz;

import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Ends the process, with the stack of the hanging thread, if a run makes no progress. */
final class Watchdog implements AutoCloseable {
  /** An episode takes a second; this is for a machine with a lot else to do. */
  private static final long PATIENCE_SECONDS = 120;

  private static final int HANGING = 1;

  private final PrintWriter out;
  private final Thread watched = Thread.currentThread();
  private final ScheduledExecutorService timer;
  private ScheduledFuture<?> alarm;

  Watchdog(PrintWriter out) {
    this.out = out;
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "watchdog");
              thread.setDaemon(true);
              return thread;
            });
    feed(0);
  }

  /** So much has been done. */
  void feed(long datagrams) {
    if (alarm != null) {
      alarm.cancel(false);
    }
    alarm = timer.schedule(() -> bark(datagrams), PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private void bark(long datagrams) {
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
