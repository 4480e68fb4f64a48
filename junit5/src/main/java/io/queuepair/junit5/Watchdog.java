// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.util.StringJoiner;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Ends tests that take too long; one instance for a whole run. */
final class Watchdog implements AutoCloseable {
  /** Seconds for an interrupted test to end, before its network is closed. */
  private static final long GRACE_SECONDS = 1;

  private final ScheduledThreadPoolExecutor timer;

  Watchdog() {
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "queuepair-test-timeout");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
  }

  /**
   * Watches the calling thread.
   *
   * @param network that the test has, or null
   */
  Watch watch(TestNetwork network, long timeoutSeconds) {
    return new Watch(Thread.currentThread(), network, timeoutSeconds);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  final class Watch {
    private final Thread thread;
    private final TestNetwork network;
    private final long timeoutSeconds;
    private ScheduledFuture<?> next;
    private boolean hasEnded;
    private String expired;

    private Watch(Thread thread, TestNetwork network, long timeoutSeconds) {
      this.thread = thread;
      this.network = network;
      this.timeoutSeconds = timeoutSeconds;
      next = timer.schedule(this::expire, timeoutSeconds, TimeUnit.SECONDS);
    }

    private synchronized void expire() {
      if (hasEnded) {
        return;
      }
      expired = describe();
      thread.interrupt();
      next = timer.schedule(this::closeNetwork, GRACE_SECONDS, TimeUnit.SECONDS);
    }

    /** Closes the network: a loop of polls ignores the interrupt, but ends then. */
    private synchronized void closeNetwork() {
      if (!hasEnded && network != null && network.settings().kind() != NetworkKind.VIRTUAL) {
        network.emulator().close();
      }
    }

    private String describe() {
      StringJoiner text = new StringJoiner("\n  ");
      text.add("the test took longer than " + timeoutSeconds + " s; at that moment it was");
      for (StackTraceElement frame : thread.getStackTrace()) {
        if (frame.getClassName().startsWith("org.junit.")
            || frame.getClassName().startsWith("jdk.internal.reflect.")) {
          break;
        }
        text.add("  at " + frame);
      }
      text.add("and its queue pairs were waiting:");
      if (network == null || network.emulator().report().isEmpty()) {
        text.add("  none");
      } else {
        NetworkReport.waiting(network).forEach(line -> text.add("  " + line));
      }
      return text.toString();
    }

    /**
     * Ends the watch, as the test has ended.
     *
     * @return the report if it took too long; null otherwise
     */
    synchronized String end() {
      hasEnded = true;
      next.cancel(false);
      return expired;
    }
  }
}
