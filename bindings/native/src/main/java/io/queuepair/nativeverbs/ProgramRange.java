// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.HostMemory;
import java.nio.ByteBuffer;

/**
 * A range of the program's memory that may be longer than a buffer.
 *
 * @param address of the first byte
 * @param length bytes
 * @param isProbed whether an access may find nothing there: of a region of all addresses, of which
 *     most are not mapped
 */
record ProgramRange(long address, long length, boolean isProbed) implements HostMemory {
  @Override
  public boolean isAccessible(long offset, int bytes, boolean isWritten) {
    return !isProbed || NativeCallbacks.isAccessible(address + offset, bytes, isWritten ? 1 : 0);
  }

  @Override
  public ByteBuffer view(long offset, int bytes) {
    return NativeCallbacks.memoryAt(address + offset, bytes);
  }
}
