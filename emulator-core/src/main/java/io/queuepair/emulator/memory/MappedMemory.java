// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.nio.ByteBuffer;

/** Where memory is: bytes, and the address of the first one. */
public sealed interface MappedMemory permits MappedBuffer, MappedHostMemory {
  /** Emulated or chosen by the application, unsigned 64-bit. */
  long addr();

  /** Bytes. */
  long length();

  /** Whether a range that is in it can be accessed now. */
  boolean isAccessible(long first, long bytes, boolean isWritten);

  /** A buffer with a range that was checked, which begins there at {@link #offset}. */
  ByteBuffer buffer(long first, int bytes);

  /** Where an address is in the buffer of a range that begins with it. */
  int offset(long first);

  /** Range of the whole memory. */
  default MemoryRange range() {
    return new MemoryRange(addr(), length());
  }
}
