// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Model of eight bytes that are the target of one queue pair's atomics: after each step the value
 * must be one that a prefix of them, in posting order, results in.
 */
final class AtomicWord {
  private final ByteBuffer memory;
  private final int offset;
  private final long addr;

  /** Value after the last atomic known to be executed. */
  private long settled;

  /** Value before the atomic posted last. */
  private long beforeLast;

  /** Values after each atomic whose execution is not known, in order. */
  private final Deque<Long> pending = new ArrayDeque<>();

  /** Values after atomics that failed, which may have been executed. */
  private final List<Long> lost = new ArrayList<>();

  AtomicWord(ByteBuffer memory, int offset, long addr) {
    this.memory = memory;
    this.offset = offset;
    this.addr = addr;
  }

  long addr() {
    return addr;
  }

  /** Value that the next atomic finds if all earlier ones are executed. */
  long predicted() {
    return pending.isEmpty() ? settled : pending.getLast();
  }

  /** Value that the atomic posted last finds. */
  long predictedBeforeLast() {
    return beforeLast;
  }

  /** Records an atomic that was posted, and the value that it results in. */
  void posted(long value) {
    beforeLast = predicted();
    pending.addLast(value);
  }

  /** Records that the oldest pending atomic was executed. */
  void succeeded() {
    settled = pending.removeFirst();
  }

  /** Records that the oldest pending atomic failed: it may have been executed. */
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

  /** Adopts the value in memory as the settled one, when no packets are in flight. */
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
