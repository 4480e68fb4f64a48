// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.HostMemory;
import java.nio.ByteBuffer;

/** Memory that may be longer than a buffer; parts of it are viewed as buffers while in use. */
public record MappedHostMemory(long addr, HostMemory memory) implements MappedMemory {
  @Override
  public long length() {
    return memory.length();
  }

  @Override
  public boolean isAccessible(long first, long bytes, boolean isWritten) {
    return bytes == 0
        || (bytes <= Integer.MAX_VALUE
            && memory.isAccessible(first - addr, (int) bytes, isWritten));
  }

  @Override
  public ByteBuffer buffer(long first, int bytes) {
    return memory.view(first - addr, bytes);
  }

  @Override
  public int offset(long first) {
    return 0;
  }
}
