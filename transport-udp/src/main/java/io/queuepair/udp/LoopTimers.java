// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake-ups of the timers of a network. Unlike those of Netty they take no heap, as a device moves
 * its timer with most messages. Used by the thread that runs the loop only.
 */
final class LoopTimers {
  /** Delay of a timer after which its thread had no processor, rather than much to do. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Most looks before a late timer, for sockets that are never empty. */
  static final int MAX_LOOKS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(LoopTimers.class);

  private final BooleanSupplier look;

  /** A timer of the network. */
  abstract static class Timed {
    private boolean isWaiting;
    private long wakeUpNanos;

    /** Does what is due, after the wake-up has ended. */
    abstract void wakeUp();
  }

  private final Queue<Timed> waiting =
      new PriorityQueue<>((a, b) -> Long.signum(a.wakeUpNanos - b.wakeUpNanos));

  /**
   * Makes a list without timers.
   *
   * @param look lets devices send, receives what has arrived, and returns whether there was
   *     anything; what a device sends without end does not count
   */
  LoopTimers(BooleanSupplier look) {
    this.look = look;
  }

  /** Plans the wake-up of a timer, in place of an earlier plan. */
  void plan(Timed timer, long nanos) {
    if (timer.isWaiting) {
      waiting.remove(timer);
    }
    timer.isWaiting = true;
    timer.wakeUpNanos = nanos;
    waiting.add(timer);
  }

  /**
   * Wakes the timers that are due, the earliest first, and returns their number. If the thread was
   * stopped until long after that time, everything that has arrived meanwhile is handled first: an
   * adapter, which is never stopped, would have had the acknowledgement before the timeout.
   */
  int wakeDue() {
    if (waiting.isEmpty()) {
      return 0;
    }
    long nowNanos = System.nanoTime();
    if (nowNanos - waiting.peek().wakeUpNanos >= LATE_NANOS) {
      for (int looks = 0; looks < MAX_LOOKS && look.getAsBoolean(); looks++) {
        nowNanos = System.nanoTime();
      }
    }
    int woken = 0;
    int most = waiting.size(); // A timer may plan a time in the past again and again.
    while (woken < most && !waiting.isEmpty() && waiting.peek().wakeUpNanos - nowNanos <= 0) {
      Timed timer = waiting.remove();
      timer.isWaiting = false;
      try {
        timer.wakeUp();
      } catch (Throwable failure) { // Neither the loop ends nor other timers, as with Netty's.
        LOG.error("A timer failed; the UDP network continues", failure);
      }
      woken++;
    }
    return woken;
  }

  /** Time of the next wake-up, or {@code endNanos} if that is earlier. */
  long earliestNanos(long endNanos) {
    boolean isNone = waiting.isEmpty() || endNanos - waiting.peek().wakeUpNanos < 0;
    return isNone ? endNanos : waiting.peek().wakeUpNanos;
  }
}
