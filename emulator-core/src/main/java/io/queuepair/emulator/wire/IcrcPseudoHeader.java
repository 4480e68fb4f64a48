// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Bytes that the ICRC covers before the extension headers, for the packets of one route: eight
 * bytes of ones in place of an InfiniBand LRH, then IP, UDP and BTH, with all ones where a router
 * may change something. Only lengths, fragmentation and BTH are rewritten for each packet.
 */
final class IcrcPseudoHeader {
  private static final int LRH_BYTES = 8;
  private static final int IP = LRH_BYTES;
  private static final int TOTAL_LENGTH = IP + 2;
  private static final int FRAGMENTATION = IP + 4;
  private static final int PAYLOAD_LENGTH = IP + 4;

  /** FECN, BECN and reserved bits: the first byte of the second word of the BTH. */
  private static final int BTH_MASK = 0xff00_0000;

  /** Number of IPv4 identifications of one burst's datagrams, from 0; they recur. */
  private static final int KNOWN_IDENTIFICATIONS = 64;

  /** Number of slots for a route without bursts; like the larger number a power of two. */
  private static final int FEW_SLOTS = 16;

  private static final int MANY_SLOTS = 2 * KNOWN_IDENTIFICATIONS;

  private final Route route;
  private final boolean ipv6;
  private final int udp;
  private final int bth;
  private final byte[] bytes;
  private final ByteBuffer view;

  /** Fragmentation and length of recent packets; each pair has only one possible slot. */
  private long[] known = new long[FEW_SLOTS];

  private int[] differences = new int[FEW_SLOTS];

  IcrcPseudoHeader(Route route) {
    this.route = route;
    this.ipv6 = route.isIpv6();
    this.udp = IP + IpHeader.bytes(route);
    this.bth = udp + RoceV2.UDP_HEADER_BYTES;
    this.bytes = new byte[bth + RoceV2.BTH_BYTES];
    this.view = ByteBuffer.wrap(bytes);
    view.putLong(0, -1);
    IpHeader.write(route, 0, 0, view, IP);
    maskIp();
    view.putShort(udp, (short) route.sourcePort());
    view.putShort(udp + 2, (short) RoceV2.UDP_PORT);
    view.putShort(udp + 6, (short) -1);
  }

  private void maskIp() {
    // Rule icrc.masks: What routers may change counts as all ones.
    // Source: rxe_icrc.c rxe_icrc_hdr
    // Test: IcrcTest.doesNotCoverWhatRoutersChange
    if (ipv6) {
      view.putInt(IP, 0x6fff_ffff);
      view.put(IP + 7, (byte) -1);
    } else {
      view.put(IP + 1, (byte) -1);
      view.put(IP + 8, (byte) -1);
      view.putShort(IP + 10, (short) -1);
    }
  }

  boolean isOf(Route other) {
    return route.equals(other);
  }

  boolean hasIdentification() {
    return !ipv6;
  }

  /** Whether a packet has bits set that the ICRC does not cover. */
  static boolean hides(ByteBuffer packet, int offset) {
    return (packet.getInt(offset + 4) & BTH_MASK) != 0;
  }

  /** Whether packets with this second word of an IPv4 header are likely to recur. */
  static boolean isCommon(int fragmentation) {
    return identification(fragmentation) < KNOWN_IDENTIFICATIONS;
  }

  /** Whether the difference between such an ICRC and the CRC of the packet alone is known. */
  boolean isKnown(int fragmentation, int length) {
    return known[slot(fragmentation, length)] == key(fragmentation, length);
  }

  int difference(int fragmentation, int length) {
    return differences[slot(fragmentation, length)];
  }

  void learn(int fragmentation, int length, int difference) {
    if (identification(fragmentation) != 0 && known.length == FEW_SLOTS) {
      known = new long[MANY_SLOTS];
      differences = new int[MANY_SLOTS];
    }
    int slot = slot(fragmentation, length);
    known[slot] = key(fragmentation, length);
    differences[slot] = difference;
  }

  private static long key(int fragmentation, int length) {
    return (long) fragmentation << Integer.SIZE | length;
  }

  /** Slot of a packet, by a length in words: bursts of two lengths rarely collide. */
  private int slot(int fragmentation, int length) {
    int words = length / Integer.BYTES;
    int first = words * KNOWN_IDENTIFICATIONS + words / 2;
    return first + identification(fragmentation) & known.length - 1;
  }

  private static int identification(int fragmentation) {
    return fragmentation >>> Short.SIZE;
  }

  /**
   * Adds the pseudo header of a packet to a CRC.
   *
   * @param fragmentation second word of the IPv4 header: identification, flags, fragment offset
   * @param length number of bytes from the BTH to the pad
   */
  void addTo(CRC32 crc, int fragmentation, ByteBuffer packet, int offset, int length) {
    int udpBytes = RoceV2.UDP_HEADER_BYTES + length + RoceV2.ICRC_BYTES;
    if (ipv6) {
      view.putShort(PAYLOAD_LENGTH, (short) udpBytes);
    } else {
      view.putShort(TOTAL_LENGTH, (short) (IpHeader.IPV4_BYTES + udpBytes));
      view.putInt(FRAGMENTATION, fragmentation);
    }
    view.putShort(udp + 4, (short) udpBytes);
    view.putInt(bth, packet.getInt(offset));
    view.putInt(bth + 4, packet.getInt(offset + 4) | BTH_MASK);
    view.putInt(bth + 8, packet.getInt(offset + 8));
    crc.update(bytes, 0, bytes.length);
  }
}
