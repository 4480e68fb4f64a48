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
   * Looks into a queue pair, without touching it.
   *
   * @param qp a queue pair of a device of an emulator
   * @return its state and what is in its queues
   */
  public static QpSnapshot of(QueuePair qp) {
    return SnapshotReader.of(qp);
  }

  /**
   * Counts how often queue pairs have changed their state: while it stays the same, none need be
   * looked at.
   *
   * @param context of a device of an emulator
   * @return the number of transitions of all queue pairs of its device, from 0
   */
  public static long transitions(Context context) {
    return SnapshotReader.transitions(context);
  }

  /**
   * Looks into a completion queue, without polling it.
   *
   * @param cq a completion queue of a device of an emulator
   * @return what is in it
   */
  public static CqSnapshot of(CompletionQueue cq) {
    return SnapshotReader.of(cq);
  }

  /**
   * Looks into a shared receive queue.
   *
   * @param srq a shared receive queue of a device of an emulator
   * @return what is in it
   */
  public static SrqSnapshot of(SharedReceiveQueue srq) {
    return SnapshotReader.of(srq);
  }

  /**
   * Reads a memory region.
   *
   * @param mr of an emulated device; it may have been deregistered
   * @return how it is now
   */
  public static MemorySnapshot of(MemoryRegion mr) {
    return SnapshotReader.of(mr);
  }

  /**
   * Reads a memory window.
   *
   * @param mw of an emulated device; it may have been freed
   * @return how it is now
   */
  public static MemorySnapshot of(MemoryWindow mw) {
    return SnapshotReader.of(mw);
  }
}
