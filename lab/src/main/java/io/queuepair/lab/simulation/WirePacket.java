// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.Mtu;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * RoCEv2 packet over IPv6, parsed independently of the device's decoder: the base transport header
 * and the extended headers that the models check.
 */
final class WirePacket {
  static final int PSN_MASK = 0xff_ffff;

  private static final int LRH_BYTES = 8;
  private static final int IPV6_BYTES = 40;
  private static final int UDP_BYTES = 8;
  private static final int BTH_BYTES = 12;
  private static final int ICRC_BYTES = 4;
  private static final int UDP_PORT = 4791;
  private static final int UDP_PROTOCOL = 17;

  /** Offset of FECN, BECN and six reserved bits, which the ICRC does not cover. */
  private static final int VARIANT_AT = 4;

  private static final int OPERATION_MASK = 0x1f;
  private static final int SERVICE_SHIFT = 5;

  private final ByteBuffer bytes;
  private final int at;

  WirePacket(ByteBuffer bytes) {
    this.bytes = bytes;
    at = bytes.position();
  }

  /** Transport services, by the upper three bits of the opcode. */
  enum ServiceType {
    RC,
    UC,
    RD,
    UD,
    OTHER
  }

  /** Operations, by the lower five bits of the opcode. */
  enum PacketRole {
    SEND,
    WRITE,
    READ_REQUEST,
    READ_RESPONSE,
    ACKNOWLEDGE,
    ATOMIC_ACKNOWLEDGE,
    ATOMIC,
    FLUSH,
    ATOMIC_WRITE,
    OTHER;

    /** Whether messages are segmented by the path MTU. */
    boolean isCut() {
      return this == SEND || this == WRITE;
    }
  }

  int opcode() {
    return Byte.toUnsignedInt(bytes.get(at));
  }

  ServiceType service() {
    int code = opcode() >> SERVICE_SHIFT;
    return code < ServiceType.OTHER.ordinal() ? ServiceType.values()[code] : ServiceType.OTHER;
  }

  PacketRole kind() {
    int operation = opcode() & OPERATION_MASK;
    return switch (operation) {
      case 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x16, 0x17 -> PacketRole.SEND;
      case 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b -> PacketRole.WRITE;
      case 0x0c -> PacketRole.READ_REQUEST;
      case 0x0d, 0x0e, 0x0f, 0x10 -> PacketRole.READ_RESPONSE;
      case 0x11 -> PacketRole.ACKNOWLEDGE;
      case 0x12 -> PacketRole.ATOMIC_ACKNOWLEDGE;
      case 0x13, 0x14 -> PacketRole.ATOMIC;
      case 0x1c -> PacketRole.FLUSH;
      case 0x1d -> PacketRole.ATOMIC_WRITE;
      default -> PacketRole.OTHER;
    };
  }

  boolean isResponse() {
    return switch (kind()) {
      case READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE -> true;
      case SEND, WRITE, READ_REQUEST, ATOMIC, FLUSH, ATOMIC_WRITE, OTHER -> false;
    };
  }

  boolean startsMessage() {
    int operation = opcode() & OPERATION_MASK;
    boolean continues =
        switch (operation) {
          case 0x01, 0x02, 0x03, 0x07, 0x08, 0x09, 0x16 -> true;
          default -> false;
        };
    return !continues;
  }

  boolean endsMessage() {
    int operation = opcode() & OPERATION_MASK;
    boolean isContinued =
        switch (operation) {
          case 0x00, 0x01, 0x06, 0x07 -> true;
          default -> false;
        };
    return !isContinued;
  }

  boolean isSolicited() {
    return (bytes.get(at + 1) & 0x80) != 0;
  }

  int pkey() {
    return Short.toUnsignedInt(bytes.getShort(at + 2));
  }

  int destQpn() {
    return bytes.getInt(at + 4) & PSN_MASK;
  }

  int psn() {
    return bytes.getInt(at + 8) & PSN_MASK;
  }

  boolean asksForAck() {
    return bytes.get(at + 8) < 0;
  }

  int qkey() {
    return bytes.getInt(at + BTH_BYTES);
  }

  /** Number of PSNs of a request: for a READ request one for each response packet. */
  int psns(Mtu mtu) {
    if (kind() != PacketRole.READ_REQUEST) {
      return 1;
    }
    int asked = bytes.getInt(at + BTH_BYTES + 12);
    return Math.max(1, (asked + mtu.bytes() - 1) / mtu.bytes());
  }

  /** Whether the packet is a response with an AETH: all but READ responses in the middle. */
  boolean hasAeth() {
    return isResponse() && (opcode() & OPERATION_MASK) != 0x0e;
  }

  /** Syndrome, the first byte of the AETH. */
  int syndrome() {
    return Byte.toUnsignedInt(bytes.get(at + BTH_BYTES));
  }

  int msn() {
    return bytes.getInt(at + BTH_BYTES) & PSN_MASK;
  }

  /** Whether the ICRC is correct; it covers all fields that no router may change. */
  boolean hasRightIcrc(InetAddress source, int sourcePort, InetAddress destination) {
    int icrc = Integer.reverseBytes(bytes.getInt(bytes.limit() - ICRC_BYTES));
    return icrc(bytes, source, sourcePort, destination) == icrc;
  }

  /** Writes the correct ICRC into the last bytes of a packet. */
  static void seal(ByteBuffer bytes, InetAddress source, int sourcePort, InetAddress destination) {
    int icrc = icrc(bytes, source, sourcePort, destination);
    bytes.putInt(bytes.limit() - ICRC_BYTES, Integer.reverseBytes(icrc));
  }

  private static int icrc(
      ByteBuffer bytes, InetAddress source, int sourcePort, InetAddress destination) {
    int at = bytes.position();
    int length = bytes.limit() - at;
    ByteBuffer covered = ByteBuffer.allocate(LRH_BYTES + IPV6_BYTES + UDP_BYTES + length);
    covered.putLong(-1);
    covered.putInt(0x6fff_ffff).putShort((short) (UDP_BYTES + length));
    covered.put((byte) UDP_PROTOCOL).put((byte) -1);
    covered.put(source.getAddress()).put(destination.getAddress());
    covered.putShort((short) sourcePort).putShort((short) UDP_PORT);
    covered.putShort((short) (UDP_BYTES + length)).putShort((short) -1);
    int bth = covered.position();
    covered.put(bytes.slice(at, length - ICRC_BYTES));
    covered.put(bth + VARIANT_AT, (byte) -1);
    CRC32 crc = new CRC32();
    crc.update(covered.flip());
    return (int) crc.getValue();
  }

  @Override
  public String toString() {
    return String.format("packet with opcode 0x%02x and PSN %d", opcode(), psn());
  }
}
