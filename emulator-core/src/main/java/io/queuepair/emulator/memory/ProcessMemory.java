// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.HostMemory;
import java.nio.ByteBuffer;

/**
 * A range of the memory of another process. The device reads ahead what it sends, and gathers what
 * it writes until a completion, an answer or a read. What is not mapped fails the work that needs
 * it.
 *
 * @param access to the process: the same object for all ranges of it
 * @param address of the first byte in the process
 * @param length bytes, 0 or more
 */
public record ProcessMemory(ProcessAccess access, long address, long length) implements HostMemory {
  /**
   * Not possible: the device reads and writes it.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public ByteBuffer view(long offset, int bytes) {
    throw new UnsupportedOperationException("memory of another process cannot be viewed");
  }
}
