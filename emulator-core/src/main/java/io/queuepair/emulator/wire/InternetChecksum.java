// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** The checksum of IP, TCP and UDP: a one's complement sum of 16-bit words (RFC 1071). */
final class InternetChecksum {
  private long sum;

  /** Adds bytes at an absolute index; an odd number is followed by a zero byte. */
  InternetChecksum add(ByteBuffer bytes, int at, int length) {
    int end = at + length;
    int i = at;
    for (; i < end - 1; i += Short.BYTES) {
      sum += Short.toUnsignedInt(bytes.getShort(i));
    }
    if (i < end) {
      sum += Byte.toUnsignedInt(bytes.get(i)) << Byte.SIZE;
    }
    return this;
  }

  /** Adds a number of 16 bits. */
  InternetChecksum add(int word) {
    assert word >>> 16 == 0 : word;
    sum += word;
    return this;
  }

  /** The complement of the sum; 0 over bytes that hold their own checksum. */
  int value() {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return (int) (~folded & 0xffff);
  }
}
