package io.queuepair.udp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Link;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Datagrams that arrived together, as bursts. Netty hands over what the kernel merged cut into
 * slices; datagrams of one sender and one length that lie side by side become one burst again.
 */
final class Arrivals {
  private static final long UNKNOWN = -1;

  private final InetAddress destination;
  private final List<DatagramPacket> packets = new ArrayList<>();
  private final List<Burst> bursts = new ArrayList<>();
  private long totalBytes;

  // The burst that is growing: where it lies, and its size.
  private ByteBuf first;
  private ByteBuf memory;
  private InetSocketAddress sender;
  private long address;
  private int lengthBytes;
  private int segmentBytes;

  Arrivals(InetAddress destination) {
    this.destination = destination;
  }

  /** Datagrams since the last {@link #clear}. */
  int datagrams() {
    return packets.size();
  }

  long totalBytes() {
    return totalBytes;
  }

  /** Takes over a datagram, with the duty to release it. */
  void add(DatagramPacket packet) {
    packets.add(packet);
    ByteBuf content = packet.content();
    int bytes = content.readableBytes();
    totalBytes += bytes;
    if (first != null && continues(packet)) {
      lengthBytes += bytes;
      return;
    }
    finish();
    first = content;
    memory = root(content);
    sender = packet.sender();
    address = addressOf(content);
    lengthBytes = bytes;
    segmentBytes = bytes;
  }

  private boolean continues(DatagramPacket packet) {
    ByteBuf content = packet.content();
    int bytes = content.readableBytes();
    boolean hasFullSegments = lengthBytes % segmentBytes == 0;
    boolean isBeside = address != UNKNOWN && addressOf(content) == address + lengthBytes;
    return isBeside
        && hasFullSegments
        && bytes <= segmentBytes
        && lengthBytes + bytes <= Link.BURST_BYTES
        && address + lengthBytes + bytes <= memory.memoryAddress() + memory.capacity()
        && packet.sender().equals(sender);
  }

  private static ByteBuf root(ByteBuf content) {
    ByteBuf root = content;
    while (root.unwrap() != null) {
      root = root.unwrap();
    }
    return root;
  }

  private static long addressOf(ByteBuf content) {
    return content.hasMemoryAddress() ? content.memoryAddress() + content.readerIndex() : UNKNOWN;
  }

  private void finish() {
    if (first == null) {
      return;
    }
    ByteBuffer bytes =
        lengthBytes == segmentBytes
            ? first.nioBuffer()
            : memory.nioBuffer((int) (address - memory.memoryAddress()), lengthBytes);
    bursts.add(new Burst(sender.getAddress(), sender.getPort(), destination, bytes, segmentBytes));
    first = null;
  }

  /** Everything added, in order, until {@link #clear}. */
  List<Burst> bursts() {
    finish();
    return bursts;
  }

  /** Forgets everything and releases its memory. */
  void clear() {
    for (int i = 0; i < packets.size(); i++) {
      packets.get(i).release();
    }
    packets.clear();
    bursts.clear();
    first = null;
    memory = null;
    totalBytes = 0;
  }
}
