// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Route;
import java.nio.ByteBuffer;
import java.util.List;

/** The packets of tests. */
public final class TestPackets {
  private TestPackets() {}

  public static Packet send(Route route, int psn, int payloadBytes) {
    Bth bth = Bth.of(Opcode.RC_SEND_ONLY, 0x12, psn).withAckRequest(true);
    return new Packet(route, bth, List.of(), Payload.of(new byte[payloadBytes]));
  }

  public static Packet acknowledge(Route route, int psn, Aeth aeth) {
    return withHeader(route, Bth.of(Opcode.RC_ACKNOWLEDGE, 0x11, psn), aeth);
  }

  public static Packet withHeader(Route route, Bth bth, ExtensionHeader header) {
    return new Packet(route, bth, List.of(header), Payload.EMPTY);
  }

  public static PacketEnvelope delivery(Packet packet) {
    return new PacketEnvelope(packet.route().source(), packet.route().destination(), packet);
  }

  /** The packets as one burst in that buffer; all but the last have the same length. */
  public static DatagramBurst burst(ByteBuffer into, Packet... packets) {
    PacketCodec codec = new PacketCodec();
    int at = 0;
    for (int i = 0; i < packets.length; i++) {
      at += codec.encode(packets[i], i, into, at);
    }
    Route route = packets[0].route();
    return new DatagramBurst(
        route.source(),
        route.sourcePort(),
        route.destination(),
        into.limit(at),
        PacketCodec.encodedBytes(packets[0]));
  }
}
