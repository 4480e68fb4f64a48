// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * Time limit for all messages of a peer, in however many pieces they arrive.
 *
 * @param whole duration of the limit, for messages
 * @param endNanos end of the limit, by {@link System#nanoTime}
 */
record TimeLimit(Duration whole, long endNanos) {
  static TimeLimit fromNow(Duration whole) {
    return new TimeLimit(whole, System.nanoTime() + whole.toNanos());
  }

  /** Remaining time in milliseconds, rounded up, as time-outs of sockets. */
  int leftMillis() throws SocketTimeoutException {
    long leftNanos = endNanos - System.nanoTime();
    if (leftNanos <= 0) {
      throw new SocketTimeoutException();
    }
    return Math.toIntExact(Duration.ofNanos(leftNanos).toMillis() + 1);
  }
}
