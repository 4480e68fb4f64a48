// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.DatagramLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A datagram being made, header by header; its ICRC is still missing. */
final class DatagramBuilder {
  static final int BTH_BYTES = 12;
  static final int ICRC_BYTES = 4;

  private static final int PKEY = 0xffff;
  private static final int ACK_REQUEST = 0x8000_0000;
  private static final int NUMBER = 0xff_ffff;

  private static final List<DatagramLayout> LAYOUTS = DatagramLayout.all();
  private static final Map<String, DatagramLayout> BY_NAME = new HashMap<>();
  private static final DatagramLayout[] BY_OPCODE = new DatagramLayout[256];

  static {
    for (DatagramLayout layout : LAYOUTS) {
      BY_NAME.put(layout.name(), layout);
      BY_OPCODE[layout.opcode()] = layout;
    }
  }

  private final DatagramLayout layout;
  private final ByteBuffer bytes;

  private DatagramBuilder(DatagramLayout layout, byte[] payload) {
    this.layout = layout;
    int pad = -payload.length & 3;
    bytes = ByteBuffer.allocate(layout.headerBytes() + payload.length + pad + ICRC_BYTES);
    bytes.put(0, (byte) layout.opcode()).put(1, (byte) (pad << 4)).putShort(2, (short) PKEY);
    bytes.put(layout.headerBytes(), payload);
  }

  /** A datagram with an opcode, which there must be. */
  static DatagramBuilder of(String opcode, byte[] payload) {
    return new DatagramBuilder(BY_NAME.get(opcode), payload);
  }

  static boolean isOpcode(String name) {
    return BY_NAME.containsKey(name);
  }

  static List<DatagramLayout> layouts() {
    return LAYOUTS;
  }

  /** The layout of a datagram; null if its opcode is reserved. */
  static DatagramLayout layoutOf(ByteBuffer datagram) {
    return BY_OPCODE[Byte.toUnsignedInt(datagram.get(datagram.position()))];
  }

  static int qpnOf(ByteBuffer datagram) {
    return datagram.getInt(datagram.position() + 4) & NUMBER;
  }

  static int psnOf(ByteBuffer datagram) {
    return datagram.getInt(datagram.position() + 8) & NUMBER;
  }

  /** How much a READ request asks for. */
  static int readLengthOf(ByteBuffer datagram) {
    return datagram.getInt(datagram.position() + layoutOf(datagram).headers().get("RETH") + 12);
  }

  ByteBuffer bytes() {
    return bytes;
  }

  DatagramBuilder to(int qpn, int psn, boolean ackRequest) {
    bytes.putInt(4, qpn & NUMBER).putInt(8, (psn & NUMBER) | (ackRequest ? ACK_REQUEST : 0));
    return this;
  }

  DatagramBuilder pkey(int pkey) {
    bytes.putShort(2, (short) pkey);
    return this;
  }

  DatagramBuilder solicited() {
    bytes.put(1, (byte) (bytes.get(1) | 0x80));
    return this;
  }

  /** Puts an integer into a header, if the opcode has that. */
  DatagramBuilder put(String header, int offset, int value) {
    Integer at = layout.headers().get(header);
    if (at != null) {
      bytes.putInt(at + offset, value);
    }
    return this;
  }

  /** Puts a long integer into a header, if the opcode has that. */
  DatagramBuilder put(String header, int offset, long value) {
    Integer at = layout.headers().get(header);
    if (at != null) {
      bytes.putLong(at + offset, value);
    }
    return this;
  }

  /** Fills the header that names remote memory, if the opcode has one. */
  DatagramBuilder aim(RemoteMemoryTarget aim) {
    put("RETH", 0, aim.addr()).put("RETH", 8, aim.rkey()).put("RETH", 12, (int) aim.length());
    return put("ATOMIC_ETH", 0, aim.addr()).put("ATOMIC_ETH", 8, aim.rkey());
  }
}
