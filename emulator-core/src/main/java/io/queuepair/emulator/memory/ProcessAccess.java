// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.nio.ByteBuffer;

/**
 * System calls by which the memory of one process is read and written, such as those on its {@code
 * /proc/PID/mem}. All buffers are direct. Called under the lock of the device; it may be called
 * after the process has ended, and then fails.
 */
public interface ProcessAccess {
  /** Bytes of a piece of {@link #write}: address, offset in the buffer, length. */
  int PIECE_BYTES = 16;

  /** Position in a piece of the offset in the buffer, an {@code int}; the address is before it. */
  int PIECE_OFFSET = 8;

  /** Position in a piece of the length, an {@code int}. */
  int PIECE_LENGTH = 12;

  /**
   * Reads memory of the process.
   *
   * @param address address in the process
   * @param target receives the bytes
   * @param at position in the target
   * @param length number of bytes, 1 or more
   * @return whether all of it is mapped; if not, any part of the target may have changed
   */
  boolean read(long address, ByteBuffer target, int at, int length);

  /**
   * Writes pieces one after the other, each by a copy of its own: the bytes of one are visible
   * before those of the next.
   *
   * @param source buffer with the bytes
   * @param pieces addresses, offsets and lengths of the pieces, in native byte order
   * @param first index of the first piece, from 0
   * @param count number of pieces, 1 or more
   * @return number of pieces written as a whole, from the first one on
   */
  int write(ByteBuffer source, ByteBuffer pieces, int first, int count);
}
