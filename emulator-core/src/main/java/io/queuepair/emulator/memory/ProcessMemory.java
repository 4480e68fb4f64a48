// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.HostMemory;
import java.nio.ByteBuffer;

/**
 * Range of the memory of another process. The device reads ahead what it sends, and gathers what it
 * writes until a completion, a response or a read. Access to unmapped memory fails the request that
 * needs it.
 *
 * @param access access to the process, the same object for all its ranges
 * @param address address of the first byte in the process
 * @param length bytes, 0 or more
 */
public record ProcessMemory(ProcessAccess access, long address, long length) implements HostMemory {
  /**
   * Throws always: this memory is accessed by {@link ProcessAccess} only.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public ByteBuffer view(long offset, int bytes) {
    throw new UnsupportedOperationException("memory of another process cannot be viewed");
  }
}
