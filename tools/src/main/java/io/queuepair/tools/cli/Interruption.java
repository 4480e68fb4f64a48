// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, or a signal TERM, during long work. The work asks after each step, ends by itself and
 * prints what it has; the process waits for that, and then exits as the signal wants.
 */
public final class Interruption implements AutoCloseable {
  /** A step takes seconds; on a busy machine it may take longer. */
  private static final long MAX_WAIT_SECONDS = 120;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::await, "interruption");
  private volatile boolean isRequested;

  private final PrintWriter err;

  private Interruption(PrintWriter err) {
    this.err = err;
  }

  /** Begins to watch; to be closed when the last line is printed. */
  public static Interruption watch(PrintWriter err) {
    Interruption interruption = new Interruption(err);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void await() {
    isRequested = true;
    if (finished.getCount() > 0) {
      err.println();
      err.println("interrupted: the current step is finished first");
    }
    try {
      boolean unused = finished.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@return whether the work shall end} */
  public boolean isRequested() {
    return isRequested;
  }

  /** Lets the process exit. */
  @Override
  public void close() {
    finished.countDown();
    if (!isRequested) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException exiting) {
        isRequested = true; // The signal came just now; the hook ends at once.
      }
    }
  }
}
