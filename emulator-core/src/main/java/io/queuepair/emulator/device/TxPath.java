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

/** Sends packets on one link: by reference, or encoded, packets of one length together. */
final class TxPath {
  private final InetAddress address;
  private final Link link;

  private final @Nullable DirectLink directLink;

  private final Fabric.PacketForm form;
  private final Staging staging;

  /** Encoder of packets that travel as bytes. */
  private final BurstEncoder encoder;

  TxPath(InetAddress address, Link link, Fabric.PacketForm form, Staging staging) {
    this.address = address;
    this.link = link;
    directLink = link instanceof DirectLink direct ? direct : null;
    this.form = form;
    this.staging = staging;
    encoder = new BurstEncoder(link);
  }

  /** Copies this path, but with another link; only between transmit loops of the driver. */
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

  /** Sends a copy of a frame, as the application may change its memory after the completion. */
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
   * Whether the application may change the payload of a packet before it arrives. It must leave
   * that of a reliable request alone until the completion, which is later. An unreliable request is
   * complete when it leaves, and a READ response has memory that may be written at any time. Staged
   * payloads are copies already.
   */
  private boolean mayChangeOnTheWay(Packet packet) {
    return (!packet.opcode().service().isReliable()
            || packet.opcode().operation() == Operation.RDMA_READ_RESPONSE)
        && !(staging.isOpen() && packet.isPayloadIn(staging.buffer()));
  }

  /** Sends the packets gathered so far; called at the end of each transmit loop of the driver. */
  void endTurn() {
    encoder.flush();
    link.endTurn();
  }
}
