// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.nio.ByteBuffer;

/** Copies of memory, block by block, over more of it than the processor's own caches hold. */
final class MemoryCopyLoad implements Load {
  private final int blockBytes;
  private final ByteBuffer from;
  private final ByteBuffer to;
  private int offset;

  /** Copies within two buffers, whose length is a multiple of that of a block. */
  MemoryCopyLoad(int blockBytes, int spanBytes) {
    this.blockBytes = blockBytes;
    from = ByteBuffer.allocateDirect(spanBytes);
    to = ByteBuffer.allocateDirect(spanBytes);
  }

  @Override
  public long run(long nanos) {
    long end = System.nanoTime() + nanos;
    long blocks = 0;
    while (System.nanoTime() - end < 0) {
      to.put(offset, from, offset, blockBytes);
      offset = (offset + blockBytes) % from.capacity();
      blocks++;
    }
    return blocks;
  }
}
