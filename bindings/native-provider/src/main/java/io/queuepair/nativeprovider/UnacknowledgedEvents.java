// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.concurrent.TimeUnit;

/**
 * The events of an object that were taken and not acknowledged. In C its destruction waits for them
 * without limit; here it is refused.
 */
final class UnacknowledgedEvents {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private int count;

  /** The thread that took all of them; null if there are several. */
  private Thread taker;

  synchronized void take() {
    taker = count == 0 || taker == Thread.currentThread() ? Thread.currentThread() : null;
    count++;
  }

  /** Refuses to acknowledge what was not taken. */
  synchronized void acknowledge(int events, String verb) {
    if (events < 0 || events > count) {
      throw new VerbsException(
          Errno.EINVAL, verb, events + " events are acknowledged, " + count + " were taken");
    }
    count -= events;
    notifyAll();
  }

  /** Gives up those that there are, whose number is returned. */
  synchronized int giveUp() {
    int left = count;
    count = 0;
    return left;
  }

  /** Waits for other threads, ten seconds at most. */
  synchronized void awaitNone(String verb) {
    long end = System.nanoTime() + LIMIT_NANOS;
    long left = LIMIT_NANOS;
    while (count > 0 && taker != Thread.currentThread() && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new VerbsException(Errno.EINTR, verb, "interrupted", e);
      }
      left = end - System.nanoTime();
    }
    if (count > 0) {
      throw new VerbsException(Errno.EBUSY, verb, count + " events are not acknowledged");
    }
  }
}
