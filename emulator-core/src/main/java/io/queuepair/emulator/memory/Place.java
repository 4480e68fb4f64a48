package io.queuepair.emulator.memory;

import java.nio.ByteBuffer;

/**
 * Where memory is: bytes, and the address of the first one.
 *
 * @param addr emulated or chosen by the application, unsigned 64-bit
 * @param bytes position 0, limit at the end; for views only, its position stays
 */
public record Place(long addr, ByteBuffer bytes) {
  boolean contains(long first, long length) {
    return MemoryRange.contains(addr, bytes.capacity(), first, length);
  }

  MemoryRange range() {
    return new MemoryRange(addr, bytes.capacity());
  }
}
