// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.queuepair.emulator.fabric.DatagramBurst;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The memory of one outgoing burst, for the device and for Netty, and what happens at its end. */
final class BurstBuffer implements ChannelFutureListener {
  private final ByteBuffer bytes;
  private final ByteBuf content;
  private final boolean isPooled;
  private int lengthBytes;
  private int segmentBytes;

  // Of the burst that is being sent; null while there is none.
  private UdpLink sender;
  private DatagramBurst burst;

  BurstBuffer(ByteBuffer bytes, boolean isPooled) {
    this.bytes = bytes;
    // Netty counts indexes from the position that the bytes have here, which is 0 by contract.
    this.content = Unpooled.wrappedBuffer(bytes.duplicate().clear());
    this.isPooled = isPooled;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  boolean isPooled() {
    return isPooled;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  int segmentBytes() {
    return segmentBytes;
  }

  int segments() {
    return segments(lengthBytes, segmentBytes);
  }

  /** How many datagrams a burst holds. */
  static int segments(DatagramBurst burst) {
    return segments(burst.bytes().remaining(), burst.segmentBytes());
  }

  private static int segments(int lengthBytes, int segmentBytes) {
    return (lengthBytes + segmentBytes - 1) / segmentBytes;
  }

  /** Takes the burst that this buffer is filled with, until {@link #complete}. */
  void hold(UdpLink link, DatagramBurst filled) {
    sender = link;
    burst = filled;
    lengthBytes = filled.bytes().remaining();
    segmentBytes = filled.segmentBytes();
  }

  InetAddress destination() {
    return burst.destination();
  }

  /** The message for Netty, which will release it once; this buffer can be used again then. */
  DatagramPacket message(InetSocketAddress recipient) {
    ByteBuffer filled = burst.bytes();
    content.setIndex(filled.position(), filled.limit());
    content.retain();
    return lengthBytes > segmentBytes
        ? new SegmentedDatagramPacket(content, segmentBytes, recipient)
        : new DatagramPacket(content, recipient);
  }

  @Override
  public void operationComplete(ChannelFuture written) {
    complete(written.cause());
  }

  /**
   * The kernel has taken the burst, or not.
   *
   * @param cause why not; null if it has
   */
  void complete(Throwable cause) {
    UdpLink link = sender;
    DatagramBurst completed = burst;
    // The buffer is kept; a device that is detached meanwhile is not.
    sender = null;
    burst = null;
    link.complete(this, completed, cause);
  }
}
