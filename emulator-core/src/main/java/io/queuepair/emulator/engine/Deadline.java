package io.queuepair.emulator.engine;

/** The place of one connection in {@link Deadlines}. */
final class Deadline {
  /** {@link #slot} of a deadline that is not in the heap. */
  static final int NO_SLOT = -1;

  private final QpLifecycle connection;
  private long atNanos;
  private int slot = NO_SLOT;

  Deadline(QpLifecycle connection) {
    this.connection = connection;
  }

  QpLifecycle connection() {
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
