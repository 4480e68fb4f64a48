// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * View of an IP packet that an application made, with at least the fixed part of its header. Its
 * fields may be wrong, so each access after the header is checked against the real length. A
 * transport header is recognized only directly after the IP header: not in a fragment, and not
 * after IPv6 extension headers.
 */
public final class IpPacket {
  private static final int NONE = -1;
  private static final int PORTS_BYTES = 4;
  private static final int FRAGMENT = 6;
  private static final int FRAGMENT_MASK = 0x3fff;
  private static final int LEAST_IPV4_WORDS = 5;

  private final ByteBuffer bytes;
  private final int at;
  private final int end;
  private final boolean isIpv4;

  private IpPacket(ByteBuffer bytes, int at, int end, boolean isIpv4) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.isIpv4 = isIpv4;
  }

  /**
   * IP packet after an EtherType; null if the EtherType is not that of IP, or if there is not room
   * for the header.
   *
   * @param offset start of the packet in the payload
   */
  static @Nullable IpPacket of(int etherType, Payload payload, int offset) {
    int room = payload.length() - offset;
    boolean isIpv4 = etherType == Ethernet.TYPE_IPV4 && room >= IpHeader.IPV4_BYTES;
    boolean isIpv6 = etherType == Ethernet.TYPE_IPV6 && room >= IpHeader.IPV6_BYTES;
    if (!isIpv4 && !isIpv6) {
      return null;
    }
    int start = payload.offset() + offset;
    return new IpPacket(payload.buffer(), start, start + room, isIpv4);
  }

  ByteBuffer bytes() {
    return bytes;
  }

  int at() {
    return at;
  }

  /** End of the bytes that contain the packet, padding included. */
  int end() {
    return end;
  }

  public boolean isIpv4() {
    return isIpv4;
  }

  /** Source address; this and the other {@code ipv4} methods are only for IPv4. */
  public int ipv4Source() {
    return bytes.getInt(at + 12);
  }

  public int ipv4Destination() {
    return bytes.getInt(at + 16);
  }

  public int ipv4TypeOfService() {
    return unsignedByte(at + 1);
  }

  public boolean ipv4DontFragment() {
    return (unsignedByte(at + FRAGMENT) & 0x40) != 0;
  }

  public boolean ipv4MoreFragments() {
    return (unsignedByte(at + FRAGMENT) & 0x20) != 0;
  }

  public int ipv4TimeToLive() {
    return unsignedByte(at + 8);
  }

  public int ipv4Protocol() {
    return unsignedByte(at + 9);
  }

  /** Source address; this and the other {@code ipv6} methods are only for IPv6. */
  public Gid ipv6Source() {
    return gid(at + 8);
  }

  public Gid ipv6Destination() {
    return gid(at + 24);
  }

  public int ipv6FlowLabel() {
    return bytes.getInt(at) & 0xf_ffff;
  }

  public int ipv6TrafficClass() {
    return bytes.getInt(at) >>> 20 & 0xff;
  }

  public int ipv6NextHeader() {
    return unsignedByte(at + 6);
  }

  public int ipv6HopLimit() {
    return unsignedByte(at + 7);
  }

  /** Whether the packet has a readable TCP header, at least its ports. */
  public boolean isTcp() {
    return protocol() == IpHeader.PROTOCOL_TCP;
  }

  /** Whether the packet has a readable UDP header, at least its ports. */
  public boolean isUdp() {
    return protocol() == IpHeader.PROTOCOL_UDP;
  }

  /** Source port; only for TCP and UDP. */
  public int sourcePort() {
    return unsignedShort(transportAt());
  }

  public int destinationPort() {
    return unsignedShort(transportAt() + 2);
  }

  /** Protocol whose ports can be read, or -1. */
  private int protocol() {
    boolean isFragment = isIpv4 && (unsignedShort(at + FRAGMENT) & FRAGMENT_MASK) != 0;
    if (isFragment || transportAt() + PORTS_BYTES > end) {
      return NONE;
    }
    return isIpv4 ? ipv4Protocol() : ipv6NextHeader();
  }

  int headerBytes() {
    return isIpv4 ? (unsignedByte(at) & 0xf) * Integer.BYTES : IpHeader.IPV6_BYTES;
  }

  int transportAt() {
    return at + headerBytes();
  }

  /** Whether the header has the version of the EtherType and is complete. */
  boolean hasSoundHeader() {
    int version = unsignedByte(at) >>> 4;
    if (!isIpv4) {
      return version == 6;
    }
    int words = unsignedByte(at) & 0xf;
    return version == 4 && words >= LEAST_IPV4_WORDS && transportAt() <= end;
  }

  /** Number of bytes after the header by its length field; negative if that is too small. */
  int payloadBytes() {
    return isIpv4 ? unsignedShort(at + 2) - headerBytes() : unsignedShort(at + 4);
  }

  private Gid gid(int index) {
    return new Gid(bytes.getLong(index), bytes.getLong(index + Long.BYTES));
  }

  private int unsignedShort(int index) {
    return Short.toUnsignedInt(bytes.getShort(index));
  }

  private int unsignedByte(int index) {
    return Byte.toUnsignedInt(bytes.get(index));
  }
}
