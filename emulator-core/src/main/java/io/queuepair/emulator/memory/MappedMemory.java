// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.nio.ByteBuffer;

/** Memory and the address of its first byte. */
public sealed interface MappedMemory permits MappedBuffer, MappedHostMemory {
  /** Address of the first byte, emulated or chosen by the application, unsigned 64-bit. */
  long addr();

  /** Length in bytes. */
  long length();

  /** Whether a range inside the memory can be accessed now. */
  boolean isAccessible(long first, long bytes, boolean isWritten);

  /** Buffer that holds a checked range, from {@link #offset} on. */
  ByteBuffer buffer(long first, int bytes);

  /** Offset of an address in the buffer of a range that begins at the address. */
  int offset(long first);
}
