// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.Timed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines of all queue pairs in an indexed binary heap. A deadline that becomes later, as the
 * retry timer does with every acknowledgement, is moved only when its old time comes.
 */
final class TimerHeap implements Timed {
  /** Slot of a deadline that is not in the heap. */
  private static final int NO_SLOT = -1;

  private final List<Deadline> deadlines = new ArrayList<>();

  /** Deadlines that may have changed since the heap was last read. */
  private final List<Deadline> changed = new ArrayList<>();

  /** Notes that the deadline of a queue pair may have changed. */
  void update(QpEngine qpEngine) {
    Deadline deadline = qpEngine.deadline();
    if (!deadline.hasChanged) {
      deadline.hasChanged = true;
      changed.add(deadline);
    }
  }

  /** Updates the entries of changed deadlines: once for all packets of a step. */
  private void settle() {
    for (int i = 0; i < changed.size(); i++) {
      Deadline deadline = changed.get(i);
      deadline.hasChanged = false;
      settle(deadline);
    }
    changed.clear();
  }

  private void settle(Deadline deadline) {
    QpEngine qpEngine = deadline.qpEngine;
    if (!qpEngine.hasDeadline()) {
      remove(deadline);
      return;
    }
    long nanos = qpEngine.deadlineNanos();
    if (deadline.slot == NO_SLOT) {
      deadline.atNanos = nanos;
      deadlines.add(deadline);
      deadline.slot = deadlines.size() - 1;
      siftUp(deadline);
    } else if (nanos - deadline.atNanos < 0) {
      deadline.atNanos = nanos;
      siftUp(deadline);
    }
  }

  @Override
  public boolean hasDeadline() {
    settle();
    return !deadlines.isEmpty();
  }

  @Override
  public long deadlineNanos() {
    return deadlines.get(0).atNanos;
  }

  /** Removes and returns a queue pair whose entry is due; its deadline may be later by now. */
  @Nullable QpEngine pollDue(long nowNanos) {
    settle();
    if (deadlines.isEmpty() || nowNanos - deadlines.get(0).atNanos < 0) {
      return null;
    }
    Deadline deadline = deadlines.get(0);
    remove(deadline);
    return deadline.qpEngine;
  }

  void remove(Deadline deadline) {
    int slot = deadline.slot;
    if (slot == NO_SLOT) {
      return;
    }
    deadline.slot = NO_SLOT;
    Deadline last = deadlines.remove(deadlines.size() - 1);
    if (last != deadline) {
      place(last, slot);
      siftUp(last);
      siftDown(last);
    }
  }

  private void siftUp(Deadline deadline) {
    int slot = deadline.slot;
    while (slot > 0) {
      int parent = (slot - 1) / 2;
      if (!isEarlier(deadline, deadlines.get(parent))) {
        break;
      }
      place(deadlines.get(parent), slot);
      slot = parent;
    }
    place(deadline, slot);
  }

  private void siftDown(Deadline deadline) {
    int slot = deadline.slot;
    for (int child = 2 * slot + 1; child < deadlines.size(); child = 2 * slot + 1) {
      if (child + 1 < deadlines.size()
          && isEarlier(deadlines.get(child + 1), deadlines.get(child))) {
        child++;
      }
      if (!isEarlier(deadlines.get(child), deadline)) {
        break;
      }
      place(deadlines.get(child), slot);
      slot = child;
    }
    place(deadline, slot);
  }

  private static boolean isEarlier(Deadline a, Deadline b) {
    return a.atNanos - b.atNanos < 0;
  }

  private void place(Deadline deadline, int slot) {
    deadlines.set(slot, deadline);
    deadline.slot = slot;
  }

  static final class Deadline {
    private final QpEngine qpEngine;
    private long atNanos;
    private int slot = NO_SLOT;
    private boolean hasChanged;

    Deadline(QpEngine qpEngine) {
      this.qpEngine = qpEngine;
    }
  }
}
