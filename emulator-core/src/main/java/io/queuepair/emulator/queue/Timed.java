// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** What acts when a moment has come. */
public interface Timed {
  boolean hasDeadline();

  /** The next moment at which something is due; only if {@link #hasDeadline}. */
  long deadlineNanos();

  /** The earlier deadline of two, of which one may have none. */
  static long earlierNanos(Timed first, Timed second) {
    if (!first.hasDeadline()) {
      return second.deadlineNanos();
    }
    long nanos = first.deadlineNanos();
    boolean isSecond = second.hasDeadline() && second.deadlineNanos() - nanos < 0;
    return isSecond ? second.deadlineNanos() : nanos;
  }
}
