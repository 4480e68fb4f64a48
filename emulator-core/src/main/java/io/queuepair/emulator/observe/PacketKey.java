// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RoceV2;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.util.List;

/**
 * Fields that identify a packet. Of several packets with equal fields, the first one sent is taken
 * to arrive first.
 *
 * @param words the opcode, destination QP and PSN as on the wire
 */
record PacketKey(
    InetAddress source, InetAddress destination, List<Integer> words, int lengthBytes) {
  public static PacketKey of(Packet packet) {
    List<Integer> words = List.of(packet.opcode().code(), packet.destQpn(), packet.psn());
    Route route = packet.route();
    return new PacketKey(
        route.source(), route.destination(), words, PacketCodec.encodedBytes(packet));
  }

  /** Key of a datagram of any content; {@code words} is empty if it is too short for a BTH. */
  public static PacketKey of(Route route, Payload payload) {
    boolean hasBth = payload.length() >= RoceV2.BTH_BYTES;
    int at = payload.offset();
    List<Integer> words =
        hasBth
            ? List.of(
                Byte.toUnsignedInt(payload.buffer().get(at)),
                payload.buffer().getInt(at + 4) & 0xffffff,
                payload.buffer().getInt(at + 8) & 0xffffff)
            : List.of();
    return new PacketKey(route.source(), route.destination(), words, payload.length());
  }
}
