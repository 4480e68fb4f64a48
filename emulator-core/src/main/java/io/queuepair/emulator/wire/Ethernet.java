// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.MacAddress;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Layout of an Ethernet header (IEEE 802.3), and the MAC addresses of IP addresses. */
public final class Ethernet {
  /** Length of destination, source and type. */
  public static final int HEADER_BYTES = 14;

  /** Length of a VLAN tag (IEEE 802.1Q). */
  public static final int VLAN_BYTES = 4;

  static final int DESTINATION = 0;
  static final int SOURCE = 6;
  static final int ETHERTYPE = 12;

  static final int TYPE_IPV4 = 0x0800;
  static final int TYPE_IPV6 = 0x86dd;
  static final int TYPE_VLAN = 0x8100;

  /** EtherType of RoCE v1 (annex A16): InfiniBand headers directly after the Ethernet header. */
  static final int TYPE_ROCE_V1 = 0x8915;

  /** EtherType of the outer of two VLAN tags (IEEE 802.1ad). */
  static final int TYPE_PROVIDER_VLAN = 0x88a8;

  private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000L;
  private static final long IPV4_MULTICAST = 0x0100_5e00_0000L;
  private static final long IPV6_MULTICAST = 0x3333_0000_0000L;
  private static final int LAST_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  /** Word of a link-local IPv6 address that has ff:fe in its middle if made from an EUI-48. */
  private static final int EUI_MIDDLE = 10;

  private Ethernet() {}

  /**
   * MAC address for an IP address. A link-local IPv6 address gives the MAC address that it was made
   * from (RFC 4291); any other unicast address gives 02:00 (locally administered) and its last four
   * bytes. A multicast group gives 01:00:5e and its lower 23 bits over IPv4 (RFC 1112), 33:33 and
   * its last four bytes over IPv6 (RFC 2464).
   */
  public static MacAddress macOf(InetAddress address) {
    byte[] ip = address.getAddress();
    int last = ByteBuffer.wrap(ip).getInt(ip.length - LAST_BYTES);
    if (address.isLinkLocalAddress() && ip.length == IPV6_BYTES && hasEui48(ip)) {
      return MacAddress.ofGuid(ByteBuffer.wrap(ip).getLong(IPV6_BYTES / 2));
    }
    if (!address.isMulticastAddress()) {
      return new MacAddress(LOCALLY_ADMINISTERED | Integer.toUnsignedLong(last));
    }
    return ip.length == LAST_BYTES
        ? new MacAddress(IPV4_MULTICAST | (last & 0x007f_ffff))
        : new MacAddress(IPV6_MULTICAST | Integer.toUnsignedLong(last));
  }

  /** Whether the interface identifier has ff:fe in its middle, as one made from an EUI-48. */
  private static boolean hasEui48(byte[] ip) {
    return (ByteBuffer.wrap(ip).getInt(EUI_MIDDLE) & 0x00ff_ff00) == 0x00ff_fe00;
  }

  static MacAddress readMac(ByteBuffer bytes, int at) {
    long high = Short.toUnsignedLong(bytes.getShort(at));
    return new MacAddress(high << 32 | Integer.toUnsignedLong(bytes.getInt(at + 2)));
  }

  static void writeMac(MacAddress mac, ByteBuffer into, int at) {
    into.putShort(at, (short) (mac.bits() >>> 32));
    into.putInt(at + 2, (int) mac.bits());
  }
}
