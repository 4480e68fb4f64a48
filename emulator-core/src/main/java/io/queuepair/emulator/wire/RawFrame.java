package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MacAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An Ethernet frame as it is, from the destination address on, without frame check sequence: at
 * least {@link Ethernet#HEADER_BYTES}. What it holds behind its header is looked at as far as its
 * length allows. Of a fragmented IPv4 packet, and behind IPv6 extension headers, no ports are seen.
 */
public record RawFrame(Payload bytes) implements Outgoing {
  private static final int PROTOCOL = 9;
  private static final int FRAGMENT = 6;
  private static final int FRAGMENT_MASK = 0x3fff;
  private static final int PORTS_BYTES = 4;
  private static final int NONE = -1;

  public RawFrame {
    assert bytes.length() >= Ethernet.HEADER_BYTES : bytes;
    assert bytes.buffer().order() == ByteOrder.BIG_ENDIAN;
  }

  public MacAddress destination() {
    return Ethernet.readMac(buffer(), at(Ethernet.DESTINATION));
  }

  public MacAddress source() {
    return Ethernet.readMac(buffer(), at(Ethernet.SOURCE));
  }

  /** Whether there is a VLAN tag behind the addresses. */
  public boolean hasVlanTag() {
    return isTagged() && has(Ethernet.ETHERTYPE, Ethernet.VLAN_BYTES + 2);
  }

  /** The tag control information; only if there is a tag. */
  public int vlanTag() {
    return unsignedShort(Ethernet.ETHERTYPE + 2);
  }

  /** The type of what follows the header and the VLAN tag. */
  public int etherType() {
    return unsignedShort(typeAt());
  }

  public boolean isIpv4() {
    return etherType() == Ethernet.TYPE_IPV4 && has(ipAt(), IpHeader.IPV4_BYTES);
  }

  public boolean isIpv6() {
    return etherType() == Ethernet.TYPE_IPV6 && has(ipAt(), IpHeader.IPV6_BYTES);
  }

  /** Source of the IPv4 header; only if there is one, as for the fields below. */
  public int ipv4Source() {
    return buffer().getInt(at(ipAt() + 12));
  }

  public int ipv4Destination() {
    return buffer().getInt(at(ipAt() + 16));
  }

  public Gid ipv6Source() {
    return gid(ipAt() + 8);
  }

  public Gid ipv6Destination() {
    return gid(ipAt() + 24);
  }

  public int ipv6FlowLabel() {
    return buffer().getInt(at(ipAt())) & 0xf_ffff;
  }

  public int ipv6TrafficClass() {
    return buffer().getInt(at(ipAt())) >>> 20 & 0xff;
  }

  public int ipv6NextHeader() {
    return unsignedByte(ipAt() + 6);
  }

  public int ipv6HopLimit() {
    return unsignedByte(ipAt() + 7);
  }

  public boolean isTcp() {
    return protocol() == IpHeader.PROTOCOL_TCP;
  }

  public boolean isUdp() {
    return protocol() == IpHeader.PROTOCOL_UDP;
  }

  /** Source port; only of TCP and UDP. */
  public int sourcePort() {
    return unsignedShort(portsAt());
  }

  public int destinationPort() {
    return unsignedShort(portsAt() + 2);
  }

  /** The protocol whose ports can be seen, or -1. */
  private int protocol() {
    int protocol = NONE;
    if (isIpv4() && (unsignedShort(ipAt() + FRAGMENT) & FRAGMENT_MASK) == 0) {
      protocol = unsignedByte(ipAt() + PROTOCOL);
    } else if (isIpv6()) {
      protocol = ipv6NextHeader();
    }
    return protocol != NONE && has(portsAt(), PORTS_BYTES) ? protocol : NONE;
  }

  private int portsAt() {
    return ipAt() + (isIpv4() ? (unsignedByte(ipAt()) & 0xf) * 4 : IpHeader.IPV6_BYTES);
  }

  private boolean isTagged() {
    return unsignedShort(Ethernet.ETHERTYPE) == Ethernet.TYPE_VLAN;
  }

  private int typeAt() {
    return hasVlanTag() ? Ethernet.ETHERTYPE + Ethernet.VLAN_BYTES : Ethernet.ETHERTYPE;
  }

  private int ipAt() {
    return typeAt() + 2;
  }

  private boolean has(int index, int count) {
    return index + count <= bytes.length();
  }

  private Gid gid(int index) {
    return new Gid(buffer().getLong(at(index)), buffer().getLong(at(index + Long.BYTES)));
  }

  private int unsignedShort(int index) {
    return Short.toUnsignedInt(buffer().getShort(at(index)));
  }

  private int unsignedByte(int index) {
    return Byte.toUnsignedInt(buffer().get(at(index)));
  }

  private ByteBuffer buffer() {
    return bytes.buffer();
  }

  private int at(int index) {
    return bytes.offset() + index;
  }

  /** One line of a ladder, without the addresses. */
  @Override
  public String toString() {
    String tag = hasVlanTag() ? String.format(" vlan=0x%04x", vlanTag()) : "";
    return String.format("ETHERNET type=0x%04x%s %d bytes", etherType(), tag, bytes.length());
  }
}
