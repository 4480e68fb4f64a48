package io.queuepair.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * The memory that one socket reads into: a slab, filled without gaps, begun again from the front as
 * soon as the device is done with everything in it. That keeps it in the cache, and small datagrams
 * cost no more than their size.
 */
final class ReceiveMemory extends DefaultMaxMessagesRecvByteBufAllocator {
  /**
   * Datagrams after which one round of reading ends and the device gets them, while they are in the
   * cache.
   */
  private static final int ROUND_DATAGRAMS = 64;

  private static final int SLAB_BYTES = 1 << 20;
  private static final int SLAB_READS = 4;

  /** One slab is long-lived and serves every datagram: no pool, no samples for leaks. */
  private static final ByteBufAllocator SLABS = new UnpooledByteBufAllocator(true, true);

  private final int readBytes;
  private ByteBuf slab;
  private int usedBytes;

  /**
   * Makes memory for one socket.
   *
   * @param readBytes what one read may bring
   */
  ReceiveMemory(int readBytes) {
    super(ROUND_DATAGRAMS);
    this.readBytes = readBytes;
  }

  /** Makes a socket read into this memory until it is closed. */
  void serve(Channel socket) {
    socket.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, this);
    socket.closeFuture().addListener(closed -> release());
  }

  @Override
  public MaxMessageHandle newHandle() {
    return new SlabHandle();
  }

  private ByteBuf next() {
    if (slab != null && slab.refCnt() == 1) {
      usedBytes = 0;
    }
    if (slab == null || usedBytes + readBytes > slab.capacity()) {
      release();
      slab = SLABS.directBuffer(Math.max(SLAB_READS * readBytes, SLAB_BYTES));
      usedBytes = 0;
    }
    return slab.retainedSlice(usedBytes, readBytes).clear();
  }

  /** Slices in use keep the slab alive. */
  private void release() {
    if (slab != null) {
      slab.release();
      slab = null;
    }
  }

  private final class SlabHandle extends MaxMessageHandle {
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
      usedBytes += Math.max(0, bytes);
      super.lastBytesRead(bytes);
    }
  }
}
