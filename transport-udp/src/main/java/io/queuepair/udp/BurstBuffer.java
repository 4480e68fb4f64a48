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

/** Memory of an outgoing burst, of device and Netty, and a listener to its completion. */
final class BurstBuffer implements ChannelFutureListener {
  private final ByteBuffer bytes;
  private final ByteBuf content;
  private final boolean isPooled;
  private int lengthBytes;
  private int segmentBytes;

  // Both null unless a burst is being sent.
  private UdpLink sender;
  private DatagramBurst burst;

  BurstBuffer(ByteBuffer bytes, boolean isPooled) {
    this.bytes = bytes;
    // Netty counts indexes from the position of the wrapped buffer, which clear() sets to 0.
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

  /** Number of datagrams in a burst. */
  static int segments(DatagramBurst burst) {
    return segments(burst.bytes().remaining(), burst.segmentBytes());
  }

  private static int segments(int lengthBytes, int segmentBytes) {
    return (lengthBytes + segmentBytes - 1) / segmentBytes;
  }

  /** Records the burst in this buffer and its sender, until {@link #complete}. */
  void hold(UdpLink link, DatagramBurst filled) {
    sender = link;
    burst = filled;
    lengthBytes = filled.bytes().remaining();
    segmentBytes = Math.min(lengthBytes, filled.segmentBytes());
  }

  InetAddress destination() {
    return burst.destination();
  }

  /** Message for Netty. This buffer can be used again once Netty has released the message. */
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
   * Tells the sender that the kernel has taken or refused the burst.
   *
   * @param cause why the kernel refused it; null if it was taken
   */
  void complete(Throwable cause) {
    UdpLink link = sender;
    DatagramBurst completed = burst;
    // Cleared, so that a pooled buffer does not keep a detached device reachable.
    sender = null;
    burst = null;
    link.complete(this, completed, cause);
  }
}
