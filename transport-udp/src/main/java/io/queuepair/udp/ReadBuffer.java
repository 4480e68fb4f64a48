// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.queuepair.emulator.fabric.DatagramBurst;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Memory of one read of a socket. Datagrams that the kernel has merged (UDP_GRO) stay in one piece.
 * Netty asks for a slice for each datagram; here the first slice is everything, and its requested
 * length is that of a datagram.
 */
final class ReadBuffer extends UnpooledDirectByteBuf {
  private final boolean isMerging;
  private final Consumer<ReadBuffer> home;

  /** View of this memory for the device. */
  private final ByteBuffer view;

  private int segmentBytes;

  /**
   * Burst of the last read, or null. It stands for the next read if only the bytes differ, and for
   * a single datagram that is shorter than those of the last read.
   */
  private DatagramBurst last;

  /**
   * Wraps memory for reads.
   *
   * @param memory used from its first byte on
   * @param isMerging whether a read brings one datagram or several merged ones; otherwise Netty
   *     takes slices as it likes
   * @param home takes the buffer back when its last reference is released
   */
  ReadBuffer(ByteBuffer memory, boolean isMerging, Consumer<ReadBuffer> home) {
    super(UnpooledByteBufAllocator.DEFAULT, memory, memory.capacity());
    this.isMerging = isMerging;
    this.home = home;
    view = memory;
  }

  /** Prepares the buffer for the next read, with one reference. */
  ReadBuffer reset() {
    resetRefCnt();
    clear();
    segmentBytes = 0;
    return this;
  }

  @Override
  public ByteBuf retainedSlice(int index, int length) {
    if (!isMerging) {
      return super.retainedSlice(index, length);
    }
    assert index == 0 : "a read goes to the front of its buffer, not to " + index;
    writerIndex(length);
    return retain();
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    if (!isMerging) {
      return super.readRetainedSlice(length);
    }
    segmentBytes = length;
    readerIndex(writerIndex());
    return retain();
  }

  /** Datagrams of the last read, valid until the next one. */
  DatagramBurst burst(InetSocketAddress sender, InetAddress destination) {
    int bytes = segmentBytes == 0 ? writerIndex() : segmentBytes;
    view.limit(writerIndex()).position(0);
    boolean isShorter = writerIndex() <= bytes && last != null && bytes < last.segmentBytes();
    if (last == null
        || (last.segmentBytes() != bytes && !isShorter)
        || last.sourcePort() != sender.getPort()
        || !last.source().equals(sender.getAddress())) {
      last = new DatagramBurst(sender.getAddress(), sender.getPort(), destination, view, bytes);
    }
    return last;
  }

  @Override
  protected void deallocate() {
    home.accept(this);
  }
}
