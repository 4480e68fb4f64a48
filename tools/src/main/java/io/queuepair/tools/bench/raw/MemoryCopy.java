package io.queuepair.tools.bench.raw;

import java.nio.ByteBuffer;

/** Copies of memory, block by block, over more of it than the processor's own caches hold. */
public final class MemoryCopy {
  private MemoryCopy() {}

  /**
   * Copies from one buffer to another, again and again from their beginning.
   *
   * @param blockBytes bytes of each copy
   * @param spanBytes bytes of each of the two buffers, a multiple of that
   * @param nanos how long
   * @return bytes copied in a second
   */
  public static double bytesPerSecond(int blockBytes, int spanBytes, long nanos) {
    ByteBuffer from = ByteBuffer.allocateDirect(spanBytes);
    ByteBuffer to = ByteBuffer.allocateDirect(spanBytes);
    copyFor(nanos / 4, from, to, blockBytes);
    long start = System.nanoTime();
    long bytes = copyFor(nanos, from, to, blockBytes);
    return bytes / ((System.nanoTime() - start) / 1e9);
  }

  private static long copyFor(long nanos, ByteBuffer from, ByteBuffer to, int blockBytes) {
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
