// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import java.io.Writer;
import java.util.concurrent.TimeUnit;

/** Collects output of a command; tests may wait for a text. */
public final class CommandTranscript extends Writer {
  private final StringBuilder text = new StringBuilder();

  @Override
  public synchronized void write(char[] buffer, int offset, int length) {
    text.append(buffer, offset, length);
    notifyAll();
  }

  /** Whether the text appeared in time. */
  public synchronized boolean await(String expected, long seconds) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (text.indexOf(expected) < 0) {
      long leftNanos = deadlineNanos - System.nanoTime();
      if (leftNanos <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
    }
    return true;
  }

  @Override
  public synchronized String toString() {
    return text.toString();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
