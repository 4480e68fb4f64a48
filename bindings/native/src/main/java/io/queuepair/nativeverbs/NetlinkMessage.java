// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/** Builds a message of netlink(7): a header, and attributes, which may nest. */
final class NetlinkMessage {
  static final int HEADER = 16;

  /** Bytes after which a list continues in another message: programs have room for one page. */
  private static final int LONG = 3000;

  private static final int ROOM = 1 << 13;

  private final ByteBuffer bytes = ByteBuffer.allocateDirect(ROOM).order(ByteOrder.nativeOrder());

  NetlinkMessage(int type, int flags, int sequence, int port) {
    bytes.putInt(0).putShort((short) type).putShort((short) flags).putInt(sequence).putInt(port);
  }

  /** Appends bytes that are no attribute. */
  NetlinkMessage raw(byte[] value) {
    bytes.put(value);
    return this;
  }

  NetlinkMessage raw(int value) {
    bytes.putInt(value);
    return this;
  }

  NetlinkMessage u8(int type, int value) {
    int at = open(type);
    bytes.put((byte) value);
    return close(at);
  }

  NetlinkMessage u32(int type, int value) {
    int at = open(type);
    bytes.putInt(value);
    return close(at);
  }

  NetlinkMessage u64(int type, long value) {
    int at = open(type);
    bytes.putLong(value);
    return close(at);
  }

  NetlinkMessage bytes(int type, byte[] value) {
    int at = open(type);
    bytes.put(value);
    return close(at);
  }

  NetlinkMessage text(int type, String value) {
    int at = open(type);
    bytes.put(value.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    return close(at);
  }

  /** Appends an attribute with the attributes that {@code content} appends. */
  NetlinkMessage nested(int type, Runnable content) {
    int at = open(type);
    content.run();
    return close(at);
  }

  /** Appends a nested attribute, or nothing if {@code content} returns false. */
  void nestedIf(int type, BooleanSupplier content) {
    int at = open(type);
    if (content.getAsBoolean()) {
      close(at);
    } else {
      bytes.position(at);
    }
  }

  private int open(int type) {
    int at = bytes.position();
    bytes.putShort((short) 0).putShort((short) type);
    return at;
  }

  private NetlinkMessage close(int at) {
    bytes.putShort(at, (short) (bytes.position() - at));
    while (bytes.position() % Integer.BYTES != 0) {
      bytes.put((byte) 0);
    }
    return this;
  }

  /** Whether the rest of a list should go into another message. */
  boolean isLong() {
    return bytes.position() > LONG;
  }

  /** Sets the length of the message; its bytes are those from 0 to the position. */
  ByteBuffer complete() {
    return bytes.putInt(0, bytes.position());
  }
}
