// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * The CRC-32 of Ethernet over few bytes, eight at a time from tables. For so few the JDK's takes
 * about twice as long: it walks to an aligned address and from the last one byte by byte.
 */
final class Crc32Slice8 {
  /** From here on the JDK's is as fast. */
  static final int MOST_BYTES = 64;

  private static final int POLYNOMIAL = 0xedb8_8320;
  private static final int STEP = Long.BYTES;
  private static final int BYTE_VALUES = 256;

  /**
   * For each byte, what it comes to with no bytes of zero after it, then with one, and so on: one
   * array of a constant length, so that the JIT need not check an index.
   */
  private static final int[] FOLLOWED = new int[STEP * BYTE_VALUES];

  static {
    for (int value = 0; value < BYTE_VALUES; value++) {
      int rest = value;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        rest = (rest & 1) == 0 ? rest >>> 1 : rest >>> 1 ^ POLYNOMIAL;
      }
      FOLLOWED[value] = rest;
    }
    for (int at = BYTE_VALUES; at < FOLLOWED.length; at++) {
      FOLLOWED[at] = next(FOLLOWED[at - BYTE_VALUES], 0);
    }
  }

  private Crc32Slice8() {}

  /** The CRC of some bytes of a big-endian buffer. */
  static int of(ByteBuffer bytes, int offset, int length) {
    int end = offset + length;
    int crc = -1;
    int at = offset;
    for (; end - at >= STEP; at += STEP) {
      long eight = Long.reverseBytes(bytes.getLong(at));
      crc = four((int) eight ^ crc, Integer.BYTES) ^ four((int) (eight >>> Integer.SIZE), 0);
    }
    for (; at < end; at++) {
      crc = next(crc, bytes.get(at));
    }
    return ~crc;
  }

  /** Remainder of four bytes, the first of them in the lowest bits. */
  private static int four(int bytes, int zerosBehind) {
    return one(bytes & 0xff, zerosBehind + 3)
        ^ one(bytes >>> 8 & 0xff, zerosBehind + 2)
        ^ one(bytes >>> 16 & 0xff, zerosBehind + 1)
        ^ one(bytes >>> 24, zerosBehind);
  }

  private static int one(int value, int zerosBehind) {
    return FOLLOWED[zerosBehind * BYTE_VALUES + value];
  }

  private static int next(int crc, int value) {
    return crc >>> Byte.SIZE ^ FOLLOWED[(crc ^ value) & 0xff];
  }
}
