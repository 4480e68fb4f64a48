// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/** Something that happens at a time. The fields belong to the {@link EventQueue} it is in. */
abstract class Event {
  static final int NOT_QUEUED = -1;

  long deadlineNanos;

  /** Counts insertions: what was scheduled first happens first among equal deadlines. */
  long sequence;

  /** Its place in the heap of the {@link EventQueue}, if it is there. */
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
