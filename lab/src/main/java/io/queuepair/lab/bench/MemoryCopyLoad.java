// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.nio.ByteBuffer;

/** Copies memory block by block, over a span larger than the caches of the processor. */
final class MemoryCopyLoad implements Load {
  private final int blockBytes;
  private final ByteBuffer from;
  private final ByteBuffer to;
  private int offset;

  /** Allocates two buffers, whose length must be a multiple of the block length. */
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
