// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Kinds of captured frames without a datagram for the RoCEv2 port, or with one not read. */
public enum SkippedFrame {
  ROCE_V1("RoCE v1, not decoded"),
  /** A fragment of a UDP datagram: only the first one has a port. */
  FRAGMENT("IP fragments, which are not put together"),
  /** RFC 7348. */
  VXLAN("VXLAN, whose contents are not decoded"),
  /** A copy of a frame that a switch sends elsewhere, in GRE. */
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

  /** In words. */
  public String text() {
    return text;
  }

  /** Of a frame with an IP header, or of what should be one. Never throws. */
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

  /** UDP has its destination port where GRE has the type of what is in it: behind two bytes. */
  private static SkippedFrame ofPayload(int protocol, ByteBuffer bytes, int at, int end) {
    int number = at + 2 * Short.BYTES <= end ? Short.toUnsignedInt(bytes.getShort(at + 2)) : 0;
    if (protocol == IpHeader.PROTOCOL_UDP && number == VXLAN_PORT) {
      return VXLAN;
    }
    boolean isErspan = number == GRE_ERSPAN_2 || number == GRE_ERSPAN_3;
    return protocol == PROTOCOL_GRE && isErspan ? ERSPAN : OTHER;
  }
}
