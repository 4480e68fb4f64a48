// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.BurstEncoder;
import io.queuepair.emulator.fabric.DirectLink;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import java.net.InetAddress;
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
  private final Staging staging;

  /** Of packets that travel as bytes. */
  private final BurstEncoder encoder;

  TxPath(InetAddress address, Link link, Fabric.PacketForm form, Staging staging) {
    this.address = address;
    this.link = link;
    directLink = link instanceof DirectLink direct ? direct : null;
    this.form = form;
    this.staging = staging;
    encoder = new BurstEncoder(link);
  }

  /** A copy with another link, between two turns of the device. */
  TxPath by(Link other) {
    assert encoder.isEmpty() : "a burst is being filled";
    return new TxPath(address, other, form, staging);
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
    encoder.flush();
    Payload payload = frame.bytes().copy();
    link.send(new Frame(address, payload.buffer()), null);
  }

  void add(Packet packet) {
    switch (form) {
      case OBJECTS -> deliver(packet);
      case ENCODED -> encoder.add(packet);
    }
  }

  private void deliver(Packet packet) {
    PacketEnvelope envelope = directLink == null ? null : directLink.pollRecycled();
    if (envelope == null || !envelope.destination().equals(packet.route().destination())) {
      envelope = new PacketEnvelope(address, packet.route().destination(), new MutablePacket());
    }
    MutablePacket mutablePacket = ((MutablePacket) envelope.packet()).copyFrom(packet);
    if (mayChangeOnTheWay(packet)) {
      mutablePacket.setPayload(packet.payload().copy());
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

  /** Ends a turn of the device. */
  void endTurn() {
    encoder.flush();
    link.endTurn();
  }
}
