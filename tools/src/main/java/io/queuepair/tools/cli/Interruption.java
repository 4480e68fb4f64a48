// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C and the signal TERM during long work. The work checks {@link #isRequested} after
 * each step and prints its results; the process waits for {@link #close}, and then exits as the
 * signal demands.
 */
public final class Interruption implements AutoCloseable {
  /** Longest wait for the work: a step takes seconds, longer on a busy machine. */
  private static final long MAX_WAIT_SECONDS = 120;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::await, "interruption");
  private volatile boolean isRequested;

  private final PrintWriter err;

  private Interruption(PrintWriter err) {
    this.err = err;
  }

  /** Starts to watch for signals; {@link #close} must be called after the last output. */
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

  public boolean isRequested() {
    return isRequested;
  }

  /** Lets the process exit after a signal; stops watching. */
  @Override
  public void close() {
    finished.countDown();
    if (!isRequested) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException exiting) {
        isRequested = true; // The signal arrived at this moment; the hook ends at once.
      }
    }
  }
}
