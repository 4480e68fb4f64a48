// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Headers before IP in captured frames (LINKTYPE registry of tcpdump.org). */
public enum LinkType {
  /** BSD loopback: address family in the byte order of the capturing machine. */
  NULL,
  ETHERNET,
  /** IPv4 or IPv6 without a header before it. */
  RAW,
  /** OpenBSD loopback: address family in network byte order. */
  LOOP,
  /** Linux cooked capture, as of the interface "any". */
  LINUX_SLL,
  /** Linux cooked capture, second version. */
  LINUX_SLL2;

  private static final int FAMILY_BYTES = 4;
  private static final int SLL_BYTES = 16;
  private static final int SLL_PROTOCOL = 14;
  private static final int SLL2_BYTES = 20;
  private static final int SLL2_PROTOCOL = 0;
  private static final int NOWHERE = -1;

  public static @Nullable LinkType ofCode(int code) {
    return switch (code) {
      case 0 -> NULL;
      case 1 -> ETHERNET;
      // Some BSDs write 12 and 14 for 101; 228 and 229 are for IPv4 and IPv6 only.
      case 12, 14, 101, 228, 229 -> RAW;
      case 108 -> LOOP;
      case 113 -> LINUX_SLL;
      case 276 -> LINUX_SLL2;
      default -> null;
    };
  }

  /**
   * Datagram to the RoCEv2 port in a captured frame, complete or not. Never throws.
   *
   * @return empty if the frame is not IP, is a fragment, is not UDP, or is for another port
   */
  public Optional<EthernetFrame> find(ByteBuffer bytes, int offset, int length) {
    int end = offset + length;
    int ip = ipAt(bytes, offset, end);
    return ip == NOWHERE ? Optional.empty() : EthernetFrame.ofIp(bytes, ip, end);
  }

  private int ipAt(ByteBuffer bytes, int at, int end) {
    return switch (this) {
      case RAW -> at;
      case NULL, LOOP -> end - at < FAMILY_BYTES ? NOWHERE : at + FAMILY_BYTES;
      case ETHERNET -> behind(bytes, at + Ethernet.ETHERTYPE, at + Ethernet.HEADER_BYTES, end);
      case LINUX_SLL -> behind(bytes, at + SLL_PROTOCOL, at + SLL_BYTES, end);
      case LINUX_SLL2 -> behind(bytes, at + SLL2_PROTOCOL, at + SLL2_BYTES, end);
    };
  }

  /** Start of IP after a header with an EtherType and after VLAN tags; -1 if there is none. */
  private static int behind(ByteBuffer bytes, int typeAt, int headerEnd, int end) {
    int type = typeBehindTags(bytes, typeAt, headerEnd, end);
    if (type == NOWHERE) {
      return NOWHERE;
    }
    return switch (Short.toUnsignedInt(bytes.getShort(type))) {
      case Ethernet.TYPE_IPV4, Ethernet.TYPE_IPV6 ->
          type == typeAt ? headerEnd : type + Short.BYTES;
      default -> NOWHERE;
    };
  }

  /** Index of the EtherType after all VLAN tags; -1 if the frame ends before. */
  private static int typeBehindTags(ByteBuffer bytes, int typeAt, int headerEnd, int end) {
    int type = typeAt;
    int next = headerEnd;
    while (next <= end) {
      switch (Short.toUnsignedInt(bytes.getShort(type))) {
        case Ethernet.TYPE_VLAN, Ethernet.TYPE_PROVIDER_VLAN -> {
          next += Ethernet.VLAN_BYTES;
          type = next - Short.BYTES;
        }
        default -> {
          return type;
        }
      }
    }
    return NOWHERE;
  }

  /** Kind of a captured frame in which {@link #find} finds nothing. Never throws. */
  public SkippedFrame skipped(ByteBuffer bytes, int length) {
    int type =
        switch (this) {
          case ETHERNET -> typeBehindTags(bytes, Ethernet.ETHERTYPE, Ethernet.HEADER_BYTES, length);
          case LINUX_SLL -> typeBehindTags(bytes, SLL_PROTOCOL, SLL_BYTES, length);
          case LINUX_SLL2 -> typeBehindTags(bytes, SLL2_PROTOCOL, SLL2_BYTES, length);
          case NULL, RAW, LOOP -> NOWHERE;
        };
    if (type != NOWHERE && Short.toUnsignedInt(bytes.getShort(type)) == Ethernet.TYPE_ROCE_V1) {
      return SkippedFrame.ROCE_V1;
    }
    int ip = ipAt(bytes, 0, length);
    return ip == NOWHERE ? SkippedFrame.OTHER : SkippedFrame.ofIp(bytes, ip, length);
  }
}
