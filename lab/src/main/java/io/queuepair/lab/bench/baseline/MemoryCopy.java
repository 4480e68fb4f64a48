// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.baseline;

import java.nio.ByteBuffer;

/** Copies of memory, block by block, over more of it than the processor's own caches hold. */
public final class MemoryCopy {
  private final int blockBytes;
  private final ByteBuffer from;
  private final ByteBuffer to;

  /**
   * Takes the memory.
   *
   * @param blockBytes bytes of each copy
   * @param spanBytes bytes of each of the two buffers, a multiple of that
   */
  public MemoryCopy(int blockBytes, int spanBytes) {
    this.blockBytes = blockBytes;
    from = ByteBuffer.allocateDirect(spanBytes);
    to = ByteBuffer.allocateDirect(spanBytes);
  }

  /**
   * Copies from one buffer to another, again and again from their beginning.
   *
   * @param nanos how long, after a quarter of that to warm up
   * @return bytes copied in a second
   */
  public double bytesPerSecond(long nanos) {
    copyFor(nanos / 4);
    long start = System.nanoTime();
    long bytes = copyFor(nanos);
    return bytes / ((System.nanoTime() - start) / 1e9);
  }

  private long copyFor(long nanos) {
    long end = System.nanoTime() + nanos;
    long bytes = 0;
    int offset = 0;
    while (System.nanoTime() - end < 0) {
      to.put(offset, from, offset, blockBytes);
      bytes += blockBytes;
      offset = offset + 2 * blockBytes <= from.capacity() ? offset + blockBytes : 0;
    }
    return bytes;
  }
}
