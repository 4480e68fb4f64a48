// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Eight bytes that the atomics of one queue pair work on, in the order of posting: after each step
 * the value is one that a prefix of them leaves behind.
 */
final class AtomicWord {
  private final ByteBuffer memory;
  private final int offset;
  private final long addr;

  /** The value after the last atomic that is known to be done. */
  private long settled;

  /** The value before the last atomic posted. */
  private long beforeLast;

  /** The values after each that may or may not be done, in order. */
  private final Deque<Long> pending = new ArrayDeque<>();

  /** Atomics that failed: the last of {@link #pending} without a completion. */
  private final List<Long> lost = new ArrayList<>();

  AtomicWord(ByteBuffer memory, int offset, long addr) {
    this.memory = memory;
    this.offset = offset;
    this.addr = addr;
  }

  long addr() {
    return addr;
  }

  /** Value that the next atomic finds if all before it are done. */
  long predicted() {
    return pending.isEmpty() ? settled : pending.getLast();
  }

  /** Value that the last atomic posted finds. */
  long predictedBeforeLast() {
    return beforeLast;
  }

  /** An atomic was posted that leaves this value behind. */
  void posted(long value) {
    beforeLast = predicted();
    pending.addLast(value);
  }

  /** The oldest atomic not yet known to be done is done. */
  void succeeded() {
    settled = pending.removeFirst();
  }

  /** The oldest atomic may be done or not. */
  void failed() {
    lost.add(pending.removeFirst());
  }

  private long value() {
    return memory.getLong(offset);
  }

  void verify() {
    long value = value();
    Violation.unless(
        value == settled || pending.contains(value) || lost.contains(value),
        "the atomics at 0x%x left 0x%x behind; known to be done 0x%x, then %s, failed %s",
        addr,
        value,
        settled,
        pending,
        lost);
  }

  /** Settles the value, when nothing is under way any more. */
  void settle() {
    verify();
    Violation.unless(pending.isEmpty(), "atomics are left over: %s", pending);
    if (lost.isEmpty()) {
      Violation.unless(value() == settled, "0x%x at 0x%x, not 0x%x", value(), addr, settled);
    }
    settled = value();
    lost.clear();
  }
}
