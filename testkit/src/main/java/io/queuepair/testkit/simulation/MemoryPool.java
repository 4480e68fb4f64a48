// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.simulation;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;

/** Registered memory cut into {@link GuardedBuffer}s. What no request uses never changes. */
final class MemoryPool {
  static final byte FILL = 0x5a;

  /** Bytes that a request may use: the longest message that is not too long, and a GRH. */
  static final int ROOM = Workload.MAX_BYTES + 64;

  /** From slot to slot: the rest is guard. */
  static final int STRIDE = ROOM + 64;

  private static final byte[] BLANK = new byte[STRIDE];

  private static final ByteBuffer UNUSED = ByteBuffer.wrap(BLANK).asReadOnlyBuffer();

  static {
    Arrays.fill(BLANK, FILL);
  }

  private final String name;
  private final SimulationListener journal;
  private final ByteBuffer buffer;
  private final MemoryRegion region;
  private final GuardedBuffer[] slots;
  private final Deque<GuardedBuffer> free = new ArrayDeque<>();

  MemoryPool(String name, SimulatedHost host, int count, Set<AccessFlag> access) {
    this.name = host.name() + "." + name;
    journal = host.journal();
    buffer = ByteBuffer.allocateDirect(count * STRIDE);
    slots = new GuardedBuffer[count];
    for (int i = 0; i < count; i++) {
      slots[i] = new GuardedBuffer(this, i * STRIDE);
      free.add(slots[i]);
      buffer.put(i * STRIDE, BLANK);
    }
    region = host.pd().regMr(buffer, access);
    journal.registered(host, name, region, true);
  }

  String name() {
    return name;
  }

  MemoryRegion region() {
    return region;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  /** A slot that nothing uses, or null. */
  GuardedBuffer take() {
    return free.poll();
  }

  /** A slot for one purpose. */
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
    journal.writing(region, offset, data);
  }

  void wipe(int offset) {
    journal.wiping(region, offset);
    buffer.put(offset, BLANK);
  }

  /** Every byte is one that may be there. */
  void verify() {
    for (int i = 0; i < slots.length; i++) {
      int same = buffer.slice(i * STRIDE, STRIDE).mismatch(UNUSED);
      if (same >= 0) {
        slots[i].assertLegal(same);
      }
    }
  }
}
