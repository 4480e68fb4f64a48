// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * IP header of a RoCEv2 datagram: IPv4 without options (RFC 791) or IPv6 without extension headers
 * (RFC 8200). RoCE must not be fragmented, so IPv4 has DF set.
 */
final class IpHeader {
  static final int IPV4_BYTES = 20;
  static final int IPV6_BYTES = 40;
  static final int PROTOCOL_TCP = 6;
  static final int PROTOCOL_UDP = 17;
  static final int DONT_FRAGMENT = 0x4000;

  private static final int VERSION_4_FIVE_WORDS = 0x45;
  private static final int CHECKSUM = 10;

  private IpHeader() {}

  static int bytes(Route route) {
    return route.isIpv6() ? IPV6_BYTES : IPV4_BYTES;
  }

  /**
   * Writes the header at an absolute index.
   *
   * @param identification 16 bits, ignored over IPv6
   * @param udpBytes length of the UDP datagram, UDP header included
   */
  static void write(Route route, int identification, int udpBytes, ByteBuffer into, int at) {
    if (route.isIpv6()) {
      writeIpv6(route, udpBytes, into, at);
    } else {
      writeIpv4(route, identification, udpBytes, into, at);
    }
  }

  private static void writeIpv4(
      Route route, int identification, int udpBytes, ByteBuffer into, int at) {
    into.put(at, (byte) VERSION_4_FIVE_WORDS);
    into.put(at + 1, (byte) route.trafficClass());
    into.putShort(at + 2, (short) (IPV4_BYTES + udpBytes));
    into.putShort(at + 4, (short) identification);
    into.putShort(at + 6, (short) DONT_FRAGMENT);
    into.put(at + 8, (byte) route.hopLimit());
    into.put(at + 9, (byte) PROTOCOL_UDP);
    into.putShort(at + CHECKSUM, (short) 0);
    into.put(at + 12, route.source().getAddress());
    into.put(at + 16, route.destination().getAddress());
    into.putShort(at + CHECKSUM, (short) checksum(into, at));
  }

  private static void writeIpv6(Route route, int udpBytes, ByteBuffer into, int at) {
    into.putInt(at, 6 << 28 | route.trafficClass() << 20 | route.flowLabel());
    into.putShort(at + 4, (short) udpBytes);
    into.put(at + 6, (byte) PROTOCOL_UDP);
    into.put(at + 7, (byte) route.hopLimit());
    into.put(at + 8, route.source().getAddress());
    into.put(at + 24, route.destination().getAddress());
  }

  /** Whether an IPv4 header of five words with the right checksum is at an index. */
  static boolean isIpv4(ByteBuffer bytes, int at) {
    // The checksum over a header that contains its checksum is 0.
    return bytes.get(at) == VERSION_4_FIVE_WORDS && checksum(bytes, at) == 0;
  }

  static boolean isIpv6(ByteBuffer bytes, int at) {
    return Byte.toUnsignedInt(bytes.get(at)) >>> 4 == 6;
  }

  /**
   * Reads the route of an IPv4 header.
   *
   * @param sourcePort source port in the UDP header
   */
  static Route readIpv4(ByteBuffer bytes, int at, int sourcePort) {
    return new Route(
        address(bytes, at + 12, 4),
        address(bytes, at + 16, 4),
        sourcePort,
        Byte.toUnsignedInt(bytes.get(at + 1)),
        Byte.toUnsignedInt(bytes.get(at + 8)),
        0);
  }

  /**
   * Reads the route of an IPv6 header.
   *
   * @param sourcePort source port in the UDP header
   */
  static Route readIpv6(ByteBuffer bytes, int at, int sourcePort) {
    int word = bytes.getInt(at);
    return new Route(
        address(bytes, at + 8, 16),
        address(bytes, at + 24, 16),
        sourcePort,
        word >>> 20 & 0xff,
        Byte.toUnsignedInt(bytes.get(at + 7)),
        word & 0xf_ffff);
  }

  private static InetAddress address(ByteBuffer bytes, int at, int length) {
    byte[] address = new byte[length];
    bytes.get(at, address);
    try {
      // InetAddress.getByAddress would turn an IPv4-mapped IPv6 address into an IPv4 address.
      return length == 4
          ? InetAddress.getByAddress(address)
          : Inet6Address.getByAddress(null, address, -1);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static int checksum(ByteBuffer bytes, int at) {
    return new InternetChecksum().add(bytes, at, IPV4_BYTES).value();
  }
}
