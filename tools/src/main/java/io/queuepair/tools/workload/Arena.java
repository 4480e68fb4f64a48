package io.queuepair.tools.workload;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;

/** Registered memory cut into {@link Slot}s. What no request uses never changes. */
final class Arena {
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
  private final ByteBuffer buffer;
  private final MemoryRegion region;
  private final Slot[] slots;
  private final Deque<Slot> free = new ArrayDeque<>();

  Arena(String name, ProtectionDomain pd, int count, Set<AccessFlag> access) {
    this.name = name;
    buffer = ByteBuffer.allocateDirect(count * STRIDE);
    slots = new Slot[count];
    for (int i = 0; i < count; i++) {
      slots[i] = new Slot(this, i * STRIDE);
      free.add(slots[i]);
      wipe(i * STRIDE);
    }
    region = pd.regMr(buffer, access);
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
  Slot take() {
    return free.poll();
  }

  void free(Slot slot) {
    free.add(slot);
  }

  void wipe(int offset) {
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
