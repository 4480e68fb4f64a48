// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Registered buffers of one length to send from. A buffer is in use until its completion. */
final class SlotPool implements AutoCloseable {
  private final MemoryRegion region;
  private final int slots;
  private final int slotBytes;
  private final Deque<Integer> free = new ArrayDeque<>();

  SlotPool(ProtectionDomain pd, int slots, int slotBytes) {
    region = pd.regMr(ByteBuffer.allocateDirect(slots * slotBytes));
    this.slots = slots;
    this.slotBytes = slotBytes;
    for (int slot = 0; slot < slots; slot++) {
      free.add(slot);
    }
  }

  boolean isEmpty() {
    return free.isEmpty();
  }

  int available() {
    return free.size();
  }

  int take() {
    return free.removeFirst();
  }

  void release(int slot) {
    free.addFirst(slot);
  }

  ByteBuffer buffer(int slot) {
    return region.buffer().slice(slot * slotBytes, slotBytes);
  }

  Sge sge(int slot) {
    return region.sge(slot * slotBytes, slotBytes);
  }

  /**
   * Ends it, once all buffers were given back.
   *
   * @throws IllegalStateException if some were not: a program that loses them stops in the end
   */
  @Override
  public void close() {
    region.close();
    if (free.size() < slots) {
      throw new IllegalStateException(
          slots - free.size() + " of " + slots + " buffers were not given back");
    }
  }
}
