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
  /** The ICRC covers neither hop limit nor traffic class, and the receiver sees neither. */
  private static final int ANY_HOP_LIMIT = 64;

  private final Traffic traffic;
  private final long nowNanos;
  private final PacketCodec codec;
  private long originNanos;
  private boolean isDecoded;
  private @Nullable Packet packet;

  /**
   * Looks at traffic.
   *
   * @param nowNanos the time of the network
   */
  PacketContext(Traffic traffic, long nowNanos, PacketCodec codec) {
    this.traffic = traffic;
    this.nowNanos = nowNanos;
    this.codec = codec;
  }

  /** A plan that began then looks at it. */
  void lookedAtSince(long beginNanos) {
    originNanos = beginNanos;
  }

  /** Since the plan began that looks at it. */
  long nanos() {
    return nowNanos - originNanos;
  }

  InetAddress source() {
    return traffic.source();
  }

  /** Null for a frame, which goes to everybody. */
  @Nullable InetAddress destination() {
    return traffic instanceof IpTraffic ipTraffic ? ipTraffic.destination() : null;
  }

  /** The RoCE packet; null if it is none, or its bytes make no sense. */
  @Nullable Packet packet() {
    if (!isDecoded) {
      isDecoded = true;
      packet = packetIn(traffic, codec);
    }
    return packet;
  }

  /** How long it is when it is encoded. */
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
