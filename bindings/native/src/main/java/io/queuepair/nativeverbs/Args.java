// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Arguments of a call of C: 8 numbers (slots), then bytes that hold structures of C. Each thread of
 * the program has its own.
 */
final class Args {
  /** Offset of the bytes. */
  static final int BYTES = 8 * Long.BYTES;

  private Args() {}

  /** Sets the byte order of C. */
  static ByteBuffer of(ByteBuffer args) {
    return args.order(ByteOrder.nativeOrder());
  }

  static long slot(ByteBuffer args, int index) {
    return args.getLong(index * Long.BYTES);
  }

  static int intSlot(ByteBuffer args, int index) {
    return (int) slot(args, index);
  }

  static void setSlot(ByteBuffer args, int index, long value) {
    args.putLong(index * Long.BYTES, value);
  }

  /** Writes text with a final zero byte, cut to {@code room} bytes. */
  static void putText(ByteBuffer args, int at, String text, int room) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, room - 1);
    args.put(at, bytes, 0, length);
    args.put(at + length, (byte) 0);
  }

  /** Reads text up to a zero byte or the end of the arguments. */
  static String text(ByteBuffer args, int at) {
    int end = at;
    while (end < args.capacity() && args.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - at];
    args.get(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static void clear(ByteBuffer args, int at, int bytes) {
    for (int i = 0; i < bytes; i++) {
      args.put(at + i, (byte) 0);
    }
  }
}
