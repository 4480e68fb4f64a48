// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.nio.ByteBuffer;

/**
 * System calls by which the memory of one process is read and written, such as those on its {@code
 * /proc/PID/mem}. All buffers are direct. Called under the lock of the device; it may be called
 * after the process has ended, and then fails.
 */
public interface ProcessAccess {
  /** Bytes of a piece of {@link #write}: the address, the offset in the buffer, the length. */
  int PIECE_BYTES = 16;

  /** Where the offset in the buffer is in a piece, an {@code int}; before it the address. */
  int PIECE_OFFSET = 8;

  /** Where the length is in a piece, an {@code int}. */
  int PIECE_LENGTH = 12;

  /**
   * Reads memory of the process.
   *
   * @param address in the process
   * @param target gets the bytes
   * @param at where in the target
   * @param length bytes, 1 or more
   * @return whether all of it is mapped; if not, any part of the target may have changed
   */
  boolean read(long address, ByteBuffer target, int at, int length);

  /**
   * Writes pieces one after the other, each by a copy of its own: the bytes of one are visible
   * before those of the next.
   *
   * @param source has the bytes
   * @param pieces one after the other, in the byte order of the machine
   * @param first which piece is the first, from 0
   * @param count how many, 1 or more
   * @return how many, from the first one on, were written as a whole
   */
  int write(ByteBuffer source, ByteBuffer pieces, int first, int count);
}
