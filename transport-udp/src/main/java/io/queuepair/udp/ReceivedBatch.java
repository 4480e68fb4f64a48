// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import io.queuepair.emulator.fabric.DatagramBurst;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Datagrams that arrived together, as bursts: each read of a socket is one burst. */
final class ReceivedBatch {
  private final InetAddress destination;
  private final List<DatagramPacket> packets = new ArrayList<>();
  private final List<DatagramBurst> bursts = new ArrayList<>();
  private int datagrams;
  private long totalBytes;

  ReceivedBatch(InetAddress destination) {
    this.destination = destination;
  }

  /** Datagrams since the last {@link #clear}. */
  int datagrams() {
    return datagrams;
  }

  long totalBytes() {
    return totalBytes;
  }

  /** Adds the datagrams of a read, and takes over the duty to release them. */
  void add(DatagramPacket packet) {
    packets.add(packet);
    ByteBuf content = packet.content();
    DatagramBurst burst =
        content instanceof ReadBuffer read
            ? read.burst(packet.sender(), destination)
            : slice(packet.sender(), content.nioBuffer());
    if (burst.bytes().hasRemaining()) {
      bursts.add(burst);
      datagrams += BurstBuffer.segments(burst);
      totalBytes += burst.bytes().remaining();
    }
  }

  private DatagramBurst slice(InetSocketAddress sender, ByteBuffer bytes) {
    return new DatagramBurst(
        sender.getAddress(), sender.getPort(), destination, bytes, bytes.remaining());
  }

  /** Everything added, in order, until {@link #clear}. */
  List<DatagramBurst> bursts() {
    return bursts;
  }

  /** Forgets everything and releases its memory. */
  void clear() {
    for (int i = 0; i < packets.size(); i++) {
      packets.get(i).release();
    }
    packets.clear();
    bursts.clear();
    datagrams = 0;
    totalBytes = 0;
  }
}
