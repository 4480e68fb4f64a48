// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * How long a peer may take in all for what it has to say, however many pieces it says it in.
 *
 * @param endNanos when that is over, by {@link System#nanoTime}
 */
public record TimeLimit(Duration whole, long endNanos) {
  /** No limit. */
  public static final TimeLimit NONE = new TimeLimit(Duration.ZERO, 0);

  /** A limit that begins now. */
  public static TimeLimit fromNow(Duration whole) {
    return new TimeLimit(whole, System.nanoTime() + whole.toNanos());
  }

  /** Whether nothing is left of it; never of {@link #NONE}. */
  public boolean isOver() {
    return !whole.isZero() && endNanos - System.nanoTime() <= 0;
  }

  /** Time left; zero when it is over. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }

  /** Time left in milliseconds, rounded up, as sockets take it: 0 is without limit. */
  int leftMillis() throws SocketTimeoutException {
    if (whole.isZero()) {
      return 0;
    }
    long leftNanos = endNanos - System.nanoTime();
    if (leftNanos <= 0) {
      throw new SocketTimeoutException();
    }
    return Math.toIntExact(Duration.ofNanos(leftNanos).toMillis() + 1);
  }
}
