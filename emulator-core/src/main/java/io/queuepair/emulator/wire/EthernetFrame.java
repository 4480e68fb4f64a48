// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * RoCEv2 datagram in a frame of a capture file: Ethernet, IP and UDP around BTH to ICRC.
 *
 * @param identification identification of the IPv4 header, 0 over IPv6
 * @param flags flags and fragment offset of the IPv4 header, 0x4000 for DF; 0 over IPv6
 * @param udpPayload captured part of the UDP payload
 * @param announcedBytes length of the UDP payload by the UDP header; negative if the header gives
 *     less than its own length
 */
public record EthernetFrame(
    Route route, int identification, int flags, Payload udpPayload, int announcedBytes) {
  private static final int FRAGMENT = 0x3fff;
  private static final int TOTAL_LENGTH = 2;
  private static final int PAYLOAD_LENGTH = 4;

  /** Creates the frame of a complete datagram. */
  public EthernetFrame(Route route, int identification, int flags, Payload udpPayload) {
    this(route, identification, flags, udpPayload, udpPayload.length());
  }

  public boolean isWhole() {
    return announcedBytes == udpPayload.length();
  }

  /** Number of bytes before the UDP payload. */
  public static int headerBytes(Route route) {
    return Ethernet.HEADER_BYTES + IpHeader.bytes(route) + RoceV2.UDP_HEADER_BYTES;
  }

  /**
   * Writes the frame of a datagram at an absolute index. The MAC addresses follow from the IP
   * addresses, see {@link Ethernet#macOf}.
   *
   * @return number of bytes written
   */
  public static int write(
      Route route, int identification, Payload udpPayload, ByteBuffer into, int at) {
    int udpBytes = RoceV2.UDP_HEADER_BYTES + udpPayload.length();
    Ethernet.writeMac(Ethernet.macOf(route.destination()), into, at + Ethernet.DESTINATION);
    Ethernet.writeMac(Ethernet.macOf(route.source()), into, at + Ethernet.SOURCE);
    int type = route.isIpv6() ? Ethernet.TYPE_IPV6 : Ethernet.TYPE_IPV4;
    into.putShort(at + Ethernet.ETHERTYPE, (short) type);
    int ip = at + Ethernet.HEADER_BYTES;
    IpHeader.write(route, identification, udpBytes, into, ip);
    int udp = ip + IpHeader.bytes(route);
    into.putShort(udp, (short) route.sourcePort());
    into.putShort(udp + 2, (short) RoceV2.UDP_PORT);
    into.putShort(udp + 4, (short) udpBytes);
    // No checksum: the ICRC covers more, and Linux sends none either.
    into.putShort(udp + 6, (short) 0);
    udpPayload.copyTo(into, udp + RoceV2.UDP_HEADER_BYTES);
    return headerBytes(route) + udpPayload.length();
  }

  /** Datagram in a captured frame; empty if the frame holds no complete RoCEv2 datagram. */
  public static Optional<EthernetFrame> parse(ByteBuffer bytes, int offset, int length) {
    return LinkType.ETHERNET.find(bytes, offset, length).filter(EthernetFrame::isWhole);
  }

  /** RoCEv2 datagram in an IP packet that ends at {@code end} or before. */
  static Optional<EthernetFrame> ofIp(ByteBuffer bytes, int ip, int end) {
    if (end <= ip) {
      return Optional.empty();
    }
    return switch (Byte.toUnsignedInt(bytes.get(ip)) >>> 4) {
      case 4 -> parseIpv4(bytes, ip, end);
      case 6 -> parseIpv6(bytes, ip, end);
      default -> Optional.empty();
    };
  }

  private static Optional<EthernetFrame> parseIpv4(ByteBuffer bytes, int ip, int end) {
    if (end - ip < IpHeader.IPV4_BYTES || bytes.get(ip + 9) != IpHeader.PROTOCOL_UDP) {
      return Optional.empty();
    }
    int headerBytes = (bytes.get(ip) & 0xf) * 4;
    int udp = ip + headerBytes;
    int flags = unsignedShort(bytes, ip + 6);
    boolean isFragment = (flags & FRAGMENT) != 0;
    if (headerBytes < IpHeader.IPV4_BYTES || isFragment || !isForRoce(bytes, udp, end)) {
      return Optional.empty();
    }
    Route route = IpHeader.readIpv4(bytes, ip, unsignedShort(bytes, udp));
    int identification = unsignedShort(bytes, ip + 4);
    int ipEnd = endOf(unsignedShort(bytes, ip + TOTAL_LENGTH), ip, udp, end);
    return Optional.of(
        new EthernetFrame(
            route, identification, flags, datagram(bytes, udp, ipEnd), announced(bytes, udp)));
  }

  private static Optional<EthernetFrame> parseIpv6(ByteBuffer bytes, int ip, int end) {
    int udp = ip + IpHeader.IPV6_BYTES;
    if (!isForRoce(bytes, udp, end) || bytes.get(ip + 6) != IpHeader.PROTOCOL_UDP) {
      return Optional.empty();
    }
    Route route = IpHeader.readIpv6(bytes, ip, unsignedShort(bytes, udp));
    int ipEnd = endOf(unsignedShort(bytes, ip + PAYLOAD_LENGTH), udp, udp, end);
    return Optional.of(
        new EthernetFrame(route, 0, 0, datagram(bytes, udp, ipEnd), announced(bytes, udp)));
  }

  private static boolean isForRoce(ByteBuffer bytes, int udp, int end) {
    return end - udp >= RoceV2.UDP_HEADER_BYTES && unsignedShort(bytes, udp + 2) == RoceV2.UDP_PORT;
  }

  /**
   * End of an IP packet, which may be before that of its frame. A total length of 0 in a captured
   * header means that it was not known yet.
   */
  private static int endOf(int ipBytes, int countedFrom, int udp, int end) {
    int ipEnd = countedFrom + ipBytes;
    return ipEnd < udp + RoceV2.UDP_HEADER_BYTES ? end : Math.min(ipEnd, end);
  }

  private static int announced(ByteBuffer bytes, int udp) {
    return unsignedShort(bytes, udp + 4) - RoceV2.UDP_HEADER_BYTES;
  }

  private static Payload datagram(ByteBuffer bytes, int udp, int end) {
    int at = udp + RoceV2.UDP_HEADER_BYTES;
    int length = Math.max(0, Math.min(announced(bytes, udp), end - at));
    return new Payload(bytes, at, length);
  }

  private static int unsignedShort(ByteBuffer bytes, int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }
}
