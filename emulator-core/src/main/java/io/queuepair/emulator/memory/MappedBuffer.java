// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.nio.ByteBuffer;

/**
 * Buffer and its address.
 *
 * @param addr emulated or chosen by the application, unsigned 64-bit
 * @param bytes buffer from position 0 to its end; accessed without moving the position
 */
public record MappedBuffer(long addr, ByteBuffer bytes) implements MappedMemory {
  @Override
  public long length() {
    return bytes.capacity();
  }

  @Override
  public boolean isAccessible(long first, long count, boolean isWritten) {
    return true;
  }

  @Override
  public ByteBuffer buffer(long first, int count) {
    return bytes;
  }

  @Override
  public int offset(long first) {
    return (int) (first - addr);
  }
}
