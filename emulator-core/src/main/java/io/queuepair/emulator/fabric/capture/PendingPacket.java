// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric.capture;

import io.queuepair.emulator.fabric.observe.PacketObserver;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RoceV2;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** A frame that is to be written to a capture file. */
final class PendingPacket {
  private final PacketObserver.ObservedPacket seen;
  private final byte[] bytes;
  private final List<String> comments = new ArrayList<>(1);

  /** What its packet is known by as long as its fate is to come; else null. */
  private PacketKey underWay;

  /**
   * What tells packets apart; of several that agree in it, the first one sent arrives first.
   *
   * @param words the opcode, destination QP and PSN as on the wire
   */
  record PacketKey(
      InetAddress source, InetAddress destination, List<Integer> words, int lengthBytes) {
    static PacketKey of(Packet packet) {
      List<Integer> words = List.of(packet.opcode().code(), packet.destQpn(), packet.psn());
      Route route = packet.route();
      return new PacketKey(
          route.source(), route.destination(), words, PacketCodec.encodedBytes(packet));
    }

    /** Of whatever is in a datagram. */
    static PacketKey of(Route route, Payload datagram) {
      boolean hasBth = datagram.length() >= RoceV2.BTH_BYTES;
      int at = datagram.offset();
      List<Integer> words =
          hasBth
              ? List.of(
                  Byte.toUnsignedInt(datagram.buffer().get(at)),
                  datagram.buffer().getInt(at + 4) & 0xffffff,
                  datagram.buffer().getInt(at + 8) & 0xffffff)
              : List.of();
      return new PacketKey(route.source(), route.destination(), words, datagram.length());
    }
  }

  /**
   * A frame.
   *
   * @param underWay what its packet is known by if its fate is to come, or null
   */
  PendingPacket(PacketObserver.ObservedPacket seen, byte[] bytes, PacketKey underWay) {
    this.seen = seen;
    this.bytes = bytes;
    this.underWay = underWay;
  }

  PacketObserver.ObservedPacket seen() {
    return seen;
  }

  byte[] bytes() {
    return bytes;
  }

  List<String> comments() {
    return comments;
  }

  /** Says something about it; nothing if that is null. */
  void comment(String comment) {
    if (comment != null) {
      comments.add(comment);
    }
  }

  PacketKey underWay() {
    return underWay;
  }

  /** Its fate is known, or will not be. */
  void arrived() {
    underWay = null;
  }
}
