// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;

/** Memory divided into {@link GuardedBuffer}s; what no request uses must not change. */
final class MemoryPool {
  static final byte FILL = 0x5a;

  /** Length of a slot beyond the longest message, with room for a GRH. */
  static final int EXTRA_BYTES = 64;

  private static final int GUARD_BYTES = 64;

  /** Limit of a pool's size; long slots reduce their number. */
  private static final int MOST_BYTES = 2 << 20;

  private static final int FEWEST_SLOTS = 4;

  /** Bytes of a slot that a request may use: the longest message of legal length, and a GRH. */
  final int roomBytes;

  private final byte[] blank;
  private final ByteBuffer unused;
  final String name;
  private final SimulationListener listener;
  final ByteBuffer buffer;
  final MemoryRegion region;
  private final GuardedBuffer[] slots;
  private final Deque<GuardedBuffer> free = new ArrayDeque<>();

  /**
   * Allocates and registers the memory.
   *
   * @param mostSlots number of slots, unless they are so long that there is room for fewer only
   */
  MemoryPool(String name, SimulatedHost host, int mostSlots, Set<AccessFlag> access) {
    this.name = host.name() + "." + name;
    listener = host.listener;
    roomBytes = host.longestMessageBytes + EXTRA_BYTES;
    blank = new byte[roomBytes + GUARD_BYTES];
    Arrays.fill(blank, FILL);
    unused = ByteBuffer.wrap(blank).asReadOnlyBuffer();
    int count = Math.min(mostSlots, Math.max(FEWEST_SLOTS, MOST_BYTES / blank.length));
    buffer = ByteBuffer.allocateDirect(count * blank.length);
    slots = new GuardedBuffer[count];
    for (int i = 0; i < count; i++) {
      slots[i] = new GuardedBuffer(this, i * blank.length);
      free.add(slots[i]);
      buffer.put(i * blank.length, blank);
    }
    region = host.pd.regMr(buffer, access);
    listener.registered(host, name, region, true);
  }

  /** Distance between slots, guard included. */
  int strideBytes() {
    return blank.length;
  }

  int slots() {
    return slots.length;
  }

  GuardedBuffer take() {
    return free.poll();
  }

  GuardedBuffer reserve() {
    GuardedBuffer slot = free.pollLast();
    slot.reserve();
    return slot;
  }

  void free(GuardedBuffer slot) {
    free.add(slot);
  }

  void put(int offset, byte[] data) {
    buffer.put(offset, data);
    listener.writing(region, offset, data);
  }

  void wipe(int offset) {
    listener.wiping(region, offset, blank.length);
    buffer.put(offset, blank);
  }

  void verify() {
    for (int i = 0; i < slots.length; i++) {
      int same = buffer.slice(i * blank.length, blank.length).mismatch(unused);
      if (same >= 0) {
        slots[i].assertLegal(same);
      }
    }
  }
}
