// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/** Action at a point in time. The fields belong to the {@link EventQueue} that holds the event. */
abstract class Event {
  static final int NOT_QUEUED = -1;

  long deadlineNanos;

  /** Number of the insertion: of events with equal deadlines, the one inserted first runs first. */
  long sequence;

  /** Index in the heap of the {@link EventQueue}, or {@link #NOT_QUEUED}. */
  int index = NOT_QUEUED;

  abstract void run();

  /**
   * Takes over the event that would run next, if both are better run as one.
   *
   * @return true if {@code next} must not run any more
   */
  boolean absorb(Event next) {
    return false;
  }

  final boolean isBefore(Event other) {
    long difference = deadlineNanos - other.deadlineNanos;
    return difference < 0 || (difference == 0 && sequence - other.sequence < 0);
  }
}
