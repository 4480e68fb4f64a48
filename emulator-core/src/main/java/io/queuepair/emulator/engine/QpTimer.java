// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

/** The entry of one queue pair in {@link TimerHeap}. */
final class QpTimer {
  /** {@link #slot} of a deadline that is not in the heap. */
  static final int NO_SLOT = -1;

  private final QpEngine connection;
  private long atNanos;
  private int slot = NO_SLOT;

  QpTimer(QpEngine connection) {
    this.connection = connection;
  }

  QpEngine connection() {
    return connection;
  }

  long atNanos() {
    return atNanos;
  }

  void setAtNanos(long nanos) {
    atNanos = nanos;
  }

  int slot() {
    return slot;
  }

  void setSlot(int newSlot) {
    slot = newSlot;
  }
}
