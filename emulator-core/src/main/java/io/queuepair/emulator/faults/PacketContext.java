// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** One packet in transit, as conditions see it. */
final class PacketContext {
  /** Placeholder: the ICRC covers neither hop limit nor traffic class; receivers see neither. */
  private static final int ANY_HOP_LIMIT = 64;

  private final Traffic traffic;
  private final long nowNanos;
  private final PacketCodec codec;
  private long originNanos;
  private boolean isDecoded;
  private @Nullable Packet packet;

  /**
   * Creates the context of traffic.
   *
   * @param nowNanos present time of the network
   */
  PacketContext(Traffic traffic, long nowNanos, PacketCodec codec) {
    this.traffic = traffic;
    this.nowNanos = nowNanos;
    this.codec = codec;
  }

  /** Sets when the plan began whose conditions are checked next. */
  void lookedAtSince(long beginNanos) {
    originNanos = beginNanos;
  }

  /** Time since the beginning of that plan. */
  long nanos() {
    return nowNanos - originNanos;
  }

  InetAddress source() {
    return traffic.source();
  }

  /** Destination address; null for an Ethernet frame, which has no IP destination. */
  @Nullable InetAddress destination() {
    return traffic instanceof IpTraffic ipTraffic ? ipTraffic.destination() : null;
  }

  /** The RoCE packet; null if the traffic is none or cannot be decoded. */
  @Nullable Packet packet() {
    if (!isDecoded) {
      isDecoded = true;
      packet = packetIn(traffic, codec);
    }
    return packet;
  }

  /** Length of the encoded packet. */
  int bytes() {
    if (traffic instanceof DatagramBurst burst) {
      return burst.bytes().remaining();
    }
    if (traffic instanceof Frame frame) {
      return frame.bytes().remaining();
    }
    return PacketCodec.encodedBytes(packet());
  }

  /** The RoCE packet in traffic; null if there is none. Its payload is a view of the traffic. */
  static @Nullable Packet packetIn(Traffic traffic, PacketCodec codec) {
    if (traffic instanceof PacketEnvelope envelope) {
      return envelope.packet();
    }
    if (traffic instanceof DatagramBurst burst) {
      Route route =
          new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, ANY_HOP_LIMIT, 0);
      int at = burst.bytes().position();
      int length = burst.bytes().remaining();
      return codec.decodeUnchecked(route, burst.bytes(), at, length) instanceof Packet decodedPacket
          ? decodedPacket
          : null;
    }
    return null;
  }
}
