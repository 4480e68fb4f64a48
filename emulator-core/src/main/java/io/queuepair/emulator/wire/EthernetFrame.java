package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A RoCEv2 datagram in the frame a capture file holds: Ethernet, IP and UDP around BTH to ICRC.
 *
 * @param identification of the IPv4 header, 0 over IPv6
 * @param flags of the IPv4 header with the fragment offset, 0x4000 for DF; 0 over IPv6
 * @param datagram the UDP payload
 */
public record EthernetFrame(Route route, int identification, int flags, Payload datagram) {
  private static final int FRAGMENT = 0x3fff;

  /** Bytes before the UDP payload. */
  public static int headerBytes(Route route) {
    return Ethernet.HEADER_BYTES + IpHeader.bytes(route) + RoceV2.UDP_HEADER_BYTES;
  }

  /**
   * Writes the frame of a datagram at an absolute index. MAC addresses follow from IP addresses,
   * see {@link Ethernet#macOf}.
   *
   * @return the bytes written
   */
  public static int write(
      Route route, int identification, Payload datagram, ByteBuffer into, int at) {
    int udpBytes = RoceV2.UDP_HEADER_BYTES + datagram.length();
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
    datagram.copyTo(into, udp + RoceV2.UDP_HEADER_BYTES);
    return headerBytes(route) + datagram.length();
  }

  /** The datagram in a captured frame; empty if the frame holds no whole RoCEv2 datagram. */
  public static Optional<EthernetFrame> parse(ByteBuffer bytes, int offset, int length) {
    if (length < Ethernet.HEADER_BYTES) {
      return Optional.empty();
    }
    int ip = offset + Ethernet.HEADER_BYTES;
    int end = offset + length;
    return switch (unsignedShort(bytes, offset + Ethernet.ETHERTYPE)) {
      case Ethernet.TYPE_IPV4 -> parseIpv4(bytes, ip, end);
      case Ethernet.TYPE_IPV6 -> parseIpv6(bytes, ip, end);
      default -> Optional.empty();
    };
  }

  private static Optional<EthernetFrame> parseIpv4(ByteBuffer bytes, int ip, int end) {
    if (end - ip < IpHeader.IPV4_BYTES || bytes.get(ip + 9) != IpHeader.PROTOCOL_UDP) {
      return Optional.empty();
    }
    int udp = ip + (bytes.get(ip) & 0xf) * 4;
    int flags = unsignedShort(bytes, ip + 6);
    if ((flags & FRAGMENT) != 0 || !holdsRoce(bytes, udp, end)) {
      return Optional.empty();
    }
    Route route = IpHeader.readIpv4(bytes, ip, unsignedShort(bytes, udp));
    int identification = unsignedShort(bytes, ip + 4);
    return Optional.of(new EthernetFrame(route, identification, flags, datagram(bytes, udp)));
  }

  private static Optional<EthernetFrame> parseIpv6(ByteBuffer bytes, int ip, int end) {
    int udp = ip + IpHeader.IPV6_BYTES;
    if (!holdsRoce(bytes, udp, end) || bytes.get(ip + 6) != IpHeader.PROTOCOL_UDP) {
      return Optional.empty();
    }
    Route route = IpHeader.readIpv6(bytes, ip, unsignedShort(bytes, udp));
    return Optional.of(new EthernetFrame(route, 0, 0, datagram(bytes, udp)));
  }

  /** Whether a whole UDP datagram to the RoCEv2 port lies between its header and the end. */
  private static boolean holdsRoce(ByteBuffer bytes, int udp, int end) {
    if (end - udp < RoceV2.UDP_HEADER_BYTES) {
      return false;
    }
    int udpBytes = unsignedShort(bytes, udp + 4);
    boolean isWhole = udpBytes >= RoceV2.UDP_HEADER_BYTES && udpBytes <= end - udp;
    return isWhole && unsignedShort(bytes, udp + 2) == RoceV2.UDP_PORT;
  }

  private static Payload datagram(ByteBuffer bytes, int udp) {
    int udpBytes = unsignedShort(bytes, udp + 4);
    return new Payload(bytes, udp + RoceV2.UDP_HEADER_BYTES, udpBytes - RoceV2.UDP_HEADER_BYTES);
  }

  private static int unsignedShort(ByteBuffer bytes, int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }
}
