// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checksums that a device computes for applications: of the IPv4 header (RFC 791), and of TCP (RFC
 * 9293) and UDP (RFC 768) with the pseudo header of IPv4 or IPv6 (RFC 8200, section 8.1). A packet
 * gets no checksums if its lengths contradict each other or its size.
 */
public final class ChecksumOffload {
  private static final int IPV4_CHECKSUM = 10;
  private static final int TCP_CHECKSUM = 16;
  private static final int TCP_BYTES = 20;
  private static final int UDP_LENGTH = 4;
  private static final int UDP_CHECKSUM = 6;
  private static final int NONE = -1;

  private ChecksumOffload() {}

  /** Writes the checksums that a packet has; does nothing if it is null. */
  public static void fill(@Nullable IpPacket packet) {
    if (packet == null || !packet.hasSoundHeader()) {
      return;
    }
    fillHeader(packet);
    if (transportBytes(packet) != NONE) {
      fillTransport(packet);
    }
  }

  /** Writes the checksum of an IPv4 header; IPv6 has none. */
  static void fillHeader(IpPacket packet) {
    if (packet.isIpv4()) {
      int checksum = packet.at() + IPV4_CHECKSUM;
      packet.bytes().putShort(checksum, (short) 0);
      packet.bytes().putShort(checksum, (short) header(packet).value());
    }
  }

  private static void fillTransport(IpPacket packet) {
    int checksum = packet.transportAt() + (packet.isTcp() ? TCP_CHECKSUM : UDP_CHECKSUM);
    packet.bytes().putShort(checksum, (short) 0);
    int value = transport(packet).value();
    // In UDP 0 means that there is no checksum; 0xffff is the same number in one's complement.
    boolean standsForNone = value == 0 && packet.isUdp();
    packet.bytes().putShort(checksum, (short) (standsForNone ? 0xffff : value));
  }

  /**
   * Whether a packet is IPv4 and has the right checksums of its header and of TCP or UDP. False for
   * null, for a fragment, for another protocol and for UDP without checksum.
   */
  public static boolean isRight(@Nullable IpPacket packet) {
    return packet != null
        && packet.isIpv4()
        && packet.hasSoundHeader()
        && transportBytes(packet) != NONE
        && hasTransportChecksum(packet)
        && header(packet).value() == 0
        && transport(packet).value() == 0;
  }

  private static boolean hasTransportChecksum(IpPacket packet) {
    return packet.isTcp() || packet.bytes().getShort(packet.transportAt() + UDP_CHECKSUM) != 0;
  }

  private static InternetChecksum header(IpPacket packet) {
    return new InternetChecksum().add(packet.bytes(), packet.at(), packet.headerBytes());
  }

  private static InternetChecksum transport(IpPacket packet) {
    ByteBuffer bytes = packet.bytes();
    int length = transportBytes(packet);
    int addressesAt = packet.at() + (packet.isIpv4() ? 12 : 8);
    return new InternetChecksum()
        .add(bytes, addressesAt, packet.isIpv4() ? 8 : 32)
        .add(packet.isTcp() ? IpHeader.PROTOCOL_TCP : IpHeader.PROTOCOL_UDP)
        .add(length)
        .add(bytes, packet.transportAt(), length);
  }

  /** Length of TCP or UDP, header included; -1 if there is neither, or it is not complete. */
  private static int transportBytes(IpPacket packet) {
    int payload = packet.payloadBytes();
    boolean isWhole = payload <= packet.end() - packet.transportAt();
    if (packet.isTcp()) {
      return isWhole && payload >= TCP_BYTES ? payload : NONE;
    }
    if (!packet.isUdp() || !isWhole || payload < RoceV2.UDP_HEADER_BYTES) {
      return NONE;
    }
    int length = Short.toUnsignedInt(packet.bytes().getShort(packet.transportAt() + UDP_LENGTH));
    return length >= RoceV2.UDP_HEADER_BYTES && length <= payload ? length : NONE;
  }
}
