// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * CRC-32 of Ethernet over a few bytes, computed from tables eight bytes at a time. For so few bytes
 * the CRC-32 of the JDK takes about twice as long: it processes the bytes before the first aligned
 * address and after the last one singly.
 */
final class Crc32Slice8 {
  /** Length up to which this is faster than the CRC-32 of the JDK. */
  static final int MOST_BYTES = 64;

  private static final int POLYNOMIAL = 0xedb8_8320;
  private static final int STEP = Long.BYTES;
  private static final int BYTE_VALUES = 256;

  /**
   * CRC of each byte value that no zero byte follows, then of each that one zero byte follows, and
   * so on. It is one array of constant length, so that the JIT need not check an index.
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

  /** CRC of some bytes of a big-endian buffer. */
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

  /** CRC of four bytes, of which the first is in the lowest bits, followed by zero bytes. */
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
