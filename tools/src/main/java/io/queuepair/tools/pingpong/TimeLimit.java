// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * How long a peer may take in all for what it has to say, however many pieces it says it in.
 *
 * @param endNanos when that is over, by {@link System#nanoTime}
 */
record TimeLimit(Duration whole, long endNanos) {
  static TimeLimit fromNow(Duration whole) {
    return new TimeLimit(whole, System.nanoTime() + whole.toNanos());
  }

  /** Time left in milliseconds, rounded up, as sockets take it. */
  int leftMillis() throws SocketTimeoutException {
    long leftNanos = endNanos - System.nanoTime();
    if (leftNanos <= 0) {
      throw new SocketTimeoutException();
    }
    return Math.toIntExact(Duration.ofNanos(leftNanos).toMillis() + 1);
  }
}
