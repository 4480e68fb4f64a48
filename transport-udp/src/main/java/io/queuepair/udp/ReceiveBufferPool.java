// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that one socket reads into, and the limit of a round of reading, after which the device
 * gets what was read. Buffers are reused as soon as the device is done with them, the last one
 * first, as it is in the CPU cache.
 */
final class ReceiveBufferPool extends DefaultMaxMessagesRecvByteBufAllocator {
  /** Most bytes that the kernel merges. */
  static final int MERGED_BYTES = 64 << 10;

  /** Most memory of one round of reading; a round has at least one read. */
  private static final int ROUND_BYTES = 256 << 10;

  /** A shorter read probably took all that had arrived. */
  private static final int LONE_BYTES = 1024;

  private final int readBytes;
  private final boolean isMerging;

  /** Shortest read after which the round continues. */
  private final int enoughBytes;

  private final Deque<ReadBuffer> free = new ArrayDeque<>();
  private AtomicLong reads = new AtomicLong();

  private ReceiveBufferPool(int readBytes, boolean isMerging, int enoughBytes) {
    super(Math.max(1, ROUND_BYTES / readBytes));
    this.readBytes = readBytes;
    this.isMerging = isMerging;
    this.enoughBytes = enoughBytes;
  }

  /**
   * Makes memory for a socket whose kernel does not merge datagrams.
   *
   * @param readBytes most bytes of one read
   */
  static ReceiveBufferPool forSingles(int readBytes) {
    return new ReceiveBufferPool(readBytes, false, 0);
  }

  /**
   * Makes memory for a socket whose kernel merges datagrams.
   *
   * @param isBusy whether a thread polls continuously: then a round ends after a short read, which
   *     saves the system call that would find nothing
   */
  static ReceiveBufferPool forMerged(boolean isBusy) {
    return new ReceiveBufferPool(MERGED_BYTES, true, isBusy ? LONE_BYTES : 0);
  }

  /** Counts reads that receive something in a counter shared with other sockets. */
  ReceiveBufferPool countingIn(AtomicLong total) {
    reads = total;
    return this;
  }

  /** Makes a socket read into this memory. */
  void serve(Channel socket) {
    socket.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, this);
  }

  @Override
  public MaxMessageHandle newHandle() {
    return new ReadRound();
  }

  private ReadBuffer next() {
    ReadBuffer buffer =
        free.isEmpty()
            ? new ReadBuffer(ByteBuffer.allocateDirect(readBytes), isMerging, free::addLast)
            : free.removeLast();
    return buffer.reset();
  }

  /** Handle for all rounds of reading of the socket. */
  private final class ReadRound extends MaxMessageHandle {
    @Override
    public int guess() {
      return readBytes;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      return next();
    }

    @Override
    public void lastBytesRead(int bytes) {
      super.lastBytesRead(bytes);
      if (bytes > 0) {
        reads.incrementAndGet();
      }
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return lastBytesRead() >= enoughBytes && super.continueReading(maybeMore);
    }
  }
}
