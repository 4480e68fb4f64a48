// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni.replacement;

import io.queuepair.disni.DirectMemory;
import java.nio.ByteBuffer;

/**
 * Takes the place of {@code com.ibm.disni.util.MemoryUtils}, which needs {@code --add-exports}
 * since JDK 16.
 */
public final class BufferAddress {
  /** Public as that of DiSNI's class; nothing calls it. */
  public BufferAddress() {}

  /**
   * Where the memory of a direct buffer begins.
   *
   * @param buffer a direct buffer; its position does not count
   * @return address of its first byte
   */
  public static long getAddress(ByteBuffer buffer) {
    return DirectMemory.addressOf(buffer);
  }
}
