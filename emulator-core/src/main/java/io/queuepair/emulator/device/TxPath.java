// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.DirectLink;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends packets on one link: by reference, or encoded into a buffer that consecutive packets of one
 * length share.
 */
final class TxPath {
  private final InetAddress address;
  private final Link link;

  /** The link, if it is one; or null. */
  private final @Nullable DirectLink directLink;

  private final Fabric.PacketForm form;
  private final PacketCodec codec;
  private final Staging staging;

  /** The burst that is being filled, or null. */
  private @Nullable ByteBuffer buffer;

  private @Nullable Route route;

  /** The annotation of each packet of the burst, or null. */
  private @Nullable String note;

  private int segmentBytes;
  private int segments;

  TxPath(
      InetAddress address, Link link, Fabric.PacketForm form, PacketCodec codec, Staging staging) {
    this.address = address;
    this.link = link;
    directLink = link instanceof DirectLink direct ? direct : null;
    this.form = form;
    this.codec = codec;
    this.staging = staging;
  }

  /** A copy with another link, between two turns of the device. */
  TxPath by(Link other) {
    assert buffer == null : "a burst is being filled";
    return new TxPath(address, other, form, codec, staging);
  }

  InetAddress address() {
    return address;
  }

  Link link() {
    return link;
  }

  /** Whether packets may leave right away, without a doorbell. */
  boolean allowsInlineTransmit() {
    return directLink != null && directLink.allowsInlineTransmit();
  }

  /** The frame's memory may change once its send has completed, which it has. */
  void add(RawFrame frame) {
    flush();
    Payload own = frame.bytes().copy();
    link.send(new Frame(address, own.buffer()), null);
  }

  void add(Packet packet) {
    switch (form) {
      case OBJECTS -> deliver(packet);
      case ENCODED -> append(packet);
    }
  }

  private void deliver(Packet packet) {
    PacketEnvelope envelope = directLink == null ? null : directLink.pollRecycled();
    if (envelope == null || !envelope.destination().equals(packet.route().destination())) {
      envelope = new PacketEnvelope(address, packet.route().destination(), new MutablePacket());
    }
    MutablePacket travelling = ((MutablePacket) envelope.packet()).copyFrom(packet);
    if (mayChangeOnTheWay(packet)) {
      travelling.setPayload(packet.payload().copy());
    }
    link.send(envelope, null);
  }

  /**
   * Whether the memory that a packet is made from may change before it arrives. That of a reliable
   * request may not: the application must leave it alone until the completion, which is later. An
   * unreliable one is complete when it leaves, and a READ is answered from anybody's memory. What
   * is staged is a copy already.
   */
  private boolean mayChangeOnTheWay(Packet packet) {
    return (!packet.opcode().service().isReliable()
            || packet.opcode().operation() == Operation.RDMA_READ_RESPONSE)
        && !(staging.isOpen() && packet.isPayloadIn(staging.buffer()));
  }

  private void append(Packet packet) {
    int bytes = PacketCodec.encodedBytes(packet);
    if (buffer != null && !(fits(packet, bytes) && Objects.equals(packet.note(), note))) {
      flush();
    }
    if (buffer == null) {
      buffer = link.borrow();
      route = packet.route();
      note = packet.note();
      segmentBytes = bytes;
      segments = 0;
    }
    int start = segments * segmentBytes;
    buffer.limit(start + bytes);
    codec.encode(packet, segments, buffer, start);
    segments++;
    if (bytes < segmentBytes || segments == link.maxSegments()) {
      flush();
    }
  }

  private boolean fits(Packet packet, int bytes) {
    return packet.route().equals(route)
        && bytes <= segmentBytes
        && segments * segmentBytes + bytes <= Link.BURST_BYTES;
  }

  /** Ends a turn of the device. */
  void endTurn() {
    flush();
    link.endTurn();
  }

  /** Sends the burst that is being filled. */
  private void flush() {
    if (buffer == null) {
      return;
    }
    ByteBuffer full = buffer;
    buffer = null;
    link.send(
        new DatagramBurst(
            route.source(), route.sourcePort(), route.destination(), full, segmentBytes, note),
        null);
  }
}
