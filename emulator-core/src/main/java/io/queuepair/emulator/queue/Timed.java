// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Component with a deadline. */
public interface Timed {
  boolean hasDeadline();

  /** Time of the next deadline; only if {@link #hasDeadline}. */
  long deadlineNanos();

  /** Earlier deadline of two, of which one may have none. */
  static long earlierNanos(Timed first, Timed second) {
    if (!first.hasDeadline()) {
      return second.deadlineNanos();
    }
    long nanos = first.deadlineNanos();
    boolean isSecond = second.hasDeadline() && second.deadlineNanos() - nanos < 0;
    return isSecond ? second.deadlineNanos() : nanos;
  }
}
