// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of all queue pairs, in an indexed binary heap. A deadline that moves later, as the
 * retry timer does with every acknowledgement, is moved only when its old time comes.
 */
final class TimerHeap {
  private final List<QpTimer> heap = new ArrayList<>();

  /** Takes over the deadline that a connection has now. */
  void update(QpEngine connection) {
    QpTimer deadline = connection.deadline();
    if (!connection.hasDeadline()) {
      remove(deadline);
      return;
    }
    long nanos = connection.deadlineNanos();
    if (deadline.slot() == QpTimer.NO_SLOT) {
      deadline.setAtNanos(nanos);
      heap.add(deadline);
      deadline.setSlot(heap.size() - 1);
      siftUp(deadline);
    } else if (nanos - deadline.atNanos() < 0) {
      deadline.setAtNanos(nanos);
      siftUp(deadline);
    }
  }

  boolean isEmpty() {
    return heap.isEmpty();
  }

  /** The earliest moment at which something may be due; only if not empty. */
  long earliestNanos() {
    return heap.get(0).atNanos();
  }

  /** Removes and returns a connection whose deadline may have passed, or null. */
  @Nullable QpEngine pollDue(long nowNanos) {
    if (heap.isEmpty() || nowNanos - heap.get(0).atNanos() < 0) {
      return null;
    }
    QpTimer due = heap.get(0);
    remove(due);
    return due.connection();
  }

  void remove(QpTimer deadline) {
    int slot = deadline.slot();
    if (slot == QpTimer.NO_SLOT) {
      return;
    }
    deadline.setSlot(QpTimer.NO_SLOT);
    QpTimer last = heap.remove(heap.size() - 1);
    if (last != deadline) {
      place(last, slot);
      siftUp(last);
      siftDown(last);
    }
  }

  private void siftUp(QpTimer deadline) {
    int slot = deadline.slot();
    while (slot > 0) {
      int parent = (slot - 1) / 2;
      if (!isEarlier(deadline, heap.get(parent))) {
        break;
      }
      place(heap.get(parent), slot);
      slot = parent;
    }
    place(deadline, slot);
  }

  private void siftDown(QpTimer deadline) {
    int slot = deadline.slot();
    for (int child = 2 * slot + 1; child < heap.size(); child = 2 * slot + 1) {
      if (child + 1 < heap.size() && isEarlier(heap.get(child + 1), heap.get(child))) {
        child++;
      }
      if (!isEarlier(heap.get(child), deadline)) {
        break;
      }
      place(heap.get(child), slot);
      slot = child;
    }
    place(deadline, slot);
  }

  private static boolean isEarlier(QpTimer a, QpTimer b) {
    return a.atNanos() - b.atNanos() < 0;
  }

  private void place(QpTimer deadline, int slot) {
    heap.set(slot, deadline);
    deadline.setSlot(slot);
  }
}
