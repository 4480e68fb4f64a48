// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.device.SnapshotReader;
import io.queuepair.emulator.observe.CqSnapshot;
import io.queuepair.emulator.observe.MemorySnapshot;
import io.queuepair.emulator.observe.QpSnapshot;
import io.queuepair.emulator.observe.SrqSnapshot;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;

/** Reads the objects of emulated devices without changing them, as a debugger does. */
public final class DeviceInspector {
  private DeviceInspector() {}

  /**
   * Reads a queue pair without changing it.
   *
   * @param qp a queue pair of a device of an emulator
   * @return its state and the contents of its queues
   */
  public static QpSnapshot of(QueuePair qp) {
    return SnapshotReader.of(qp);
  }

  /**
   * Counts the state transitions of all queue pairs of a device. While the count stays the same, no
   * queue pair has changed its state.
   *
   * @param context a context of a device of an emulator
   * @return the number of transitions since the device was made
   */
  public static long transitions(Context context) {
    return SnapshotReader.transitions(context);
  }

  /**
   * Reads a completion queue without polling it.
   *
   * @param cq a completion queue of a device of an emulator
   * @return its contents
   */
  public static CqSnapshot of(CompletionQueue cq) {
    return SnapshotReader.of(cq);
  }

  /**
   * Reads a shared receive queue.
   *
   * @param srq a shared receive queue of a device of an emulator
   * @return its contents
   */
  public static SrqSnapshot of(SharedReceiveQueue srq) {
    return SnapshotReader.of(srq);
  }

  /**
   * Reads a memory region.
   *
   * @param mr a region of an emulated device; it may have been deregistered
   * @return its current state
   */
  public static MemorySnapshot of(MemoryRegion mr) {
    return SnapshotReader.of(mr);
  }

  /**
   * Reads a memory window.
   *
   * @param mw a window of an emulated device; it may have been freed
   * @return its current state
   */
  public static MemorySnapshot of(MemoryWindow mw) {
    return SnapshotReader.of(mw);
  }
}
