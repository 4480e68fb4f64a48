// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;

/**
 * Memory of the host that may be longer than a buffer can be. The device asks for the parts that it
 * accesses, from any thread and holding its lock: an implementation must not block, nor call verbs.
 */
public interface HostMemory {
  /**
   * The size, which must not change.
   *
   * @return bytes, 0 to 2^63-1
   */
  long length();

  /**
   * Whether a part can be accessed now. If it cannot, the access fails as one beyond the end does.
   *
   * @param offset of its first byte, within the memory
   * @param length bytes, from 1 on
   * @param isWritten whether it is to be written
   * @return true, unless an implementation knows better
   */
  default boolean isAccessible(long offset, int length, boolean isWritten) {
    return true;
  }

  /**
   * A part of the memory, not a copy.
   *
   * @param offset of its first byte
   * @param length bytes; the part lies within the memory
   * @return a direct buffer, of which the bytes from 0 to the length are used
   */
  ByteBuffer view(long offset, int length);
}
