// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Kinds of captured frames without a datagram to the RoCEv2 port that is decoded. */
public enum SkippedFrame {
  ROCE_V1("RoCE v1, not decoded"),
  /** Fragment of a UDP datagram: only the first fragment has a port. */
  FRAGMENT("IP fragments, which are not put together"),
  /** Ethernet frames in UDP (RFC 7348). */
  VXLAN("VXLAN, whose contents are not decoded"),
  /** Copy of a frame that a switch sends elsewhere, in GRE. */
  ERSPAN("ERSPAN, whose contents are not decoded"),
  OTHER("not RoCEv2");

  private static final int FRAGMENT_BITS = 0x3fff;
  private static final int FRAGMENT_HEADER = 44;
  private static final int FRAGMENT_HEADER_BYTES = 8;
  private static final int PROTOCOL_GRE = 47;
  private static final int VXLAN_PORT = 4789;
  private static final int GRE_ERSPAN_2 = 0x88be;
  private static final int GRE_ERSPAN_3 = 0x22eb;

  private final String text;

  SkippedFrame(String text) {
    this.text = text;
  }

  /** Description for the user. */
  public String text() {
    return text;
  }

  /** Kind of a frame with an IP header, which may be invalid. Never throws. */
  static SkippedFrame ofIp(ByteBuffer bytes, int ip, int end) {
    int version = ip < end ? Byte.toUnsignedInt(bytes.get(ip)) >>> 4 : 0;
    if (version == 4 && end - ip >= IpHeader.IPV4_BYTES) {
      int protocol = bytes.get(ip + 9);
      boolean isFragment = (bytes.getShort(ip + 6) & FRAGMENT_BITS) != 0;
      return isFragment && protocol == IpHeader.PROTOCOL_UDP
          ? FRAGMENT
          : ofPayload(protocol, bytes, ip + (bytes.get(ip) & 0xf) * 4, end);
    }
    int behind = ip + IpHeader.IPV6_BYTES;
    if (version == 6 && behind <= end) {
      int protocol = bytes.get(ip + 6);
      boolean isFragment =
          protocol == FRAGMENT_HEADER
              && behind + FRAGMENT_HEADER_BYTES <= end
              && bytes.get(behind) == IpHeader.PROTOCOL_UDP;
      return isFragment ? FRAGMENT : ofPayload(protocol, bytes, behind, end);
    }
    return OTHER;
  }

  /** Kind of an IP payload: port of UDP and protocol of GRE are both at offset 2. */
  private static SkippedFrame ofPayload(int protocol, ByteBuffer bytes, int at, int end) {
    int number = at + 2 * Short.BYTES <= end ? Short.toUnsignedInt(bytes.getShort(at + 2)) : 0;
    if (protocol == IpHeader.PROTOCOL_UDP && number == VXLAN_PORT) {
      return VXLAN;
    }
    boolean isErspan = number == GRE_ERSPAN_2 || number == GRE_ERSPAN_3;
    return protocol == PROTOCOL_GRE && isErspan ? ERSPAN : OTHER;
  }
}
