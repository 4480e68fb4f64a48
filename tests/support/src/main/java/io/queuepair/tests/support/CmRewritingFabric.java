// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.DecodeResult;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** A network on which messages of the connection manager become others, with a right ICRC. */
public final class CmRewritingFabric extends ForwardingFabric {
  private static final int GSI_QPN = 1;

  private final PacketCodec codec = new PacketCodec();
  private final Function<CmMessage, List<CmMessage>> rewrite;

  /**
   * Between devices and a network.
   *
   * @param network a network that carries bytes
   * @param rewrite what leaves in the place of a message
   */
  public CmRewritingFabric(Fabric network, Function<CmMessage, List<CmMessage>> rewrite) {
    super(network);
    this.rewrite = rewrite;
  }

  /** A network in memory. */
  public static CmRewritingFabric inMemory(Function<CmMessage, List<CmMessage>> rewrite) {
    InMemoryOptions options = InMemoryOptions.virtualTime().withWireExact(true);
    return new CmRewritingFabric(InMemoryFabric.create(options), rewrite);
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    return new ForwardingLink(super.attach(address, station)) {
      @Override
      public void send(Traffic traffic, String note) {
        DatagramBurst burst = (DatagramBurst) traffic;
        if (decoded(burst) instanceof Packet packet
            && packet.destQpn() == GSI_QPN
            && CmMessage.decode(packet.payload()) instanceof CmMessage message) {
          rewrite.apply(message).forEach(other -> super.send(encoded(packet, other), note));
        } else {
          super.send(traffic, note);
        }
      }
    };
  }

  /** Decodes as a receiver does: a packet, or why it is none, as after a bit has flipped. */
  private DecodeResult decoded(DatagramBurst burst) {
    ByteBuffer bytes = burst.bytes();
    Route route = new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, 64, 0);
    DecodeResult result = codec.decode(route, bytes, bytes.position(), bytes.remaining());
    return result instanceof Packet packet ? packet.copy() : result;
  }

  private DatagramBurst encoded(Packet packet, CmMessage message) {
    Packet changed = new MutablePacket().copyFrom(packet).setPayload(Payload.of(message.toBytes()));
    ByteBuffer bytes = ByteBuffer.allocate(PacketCodec.encodedBytes(changed));
    int length = codec.encode(changed, 0, bytes, 0);
    Route route = packet.route();
    return new DatagramBurst(
        route.source(), route.sourcePort(), route.destination(), bytes, length);
  }
}
