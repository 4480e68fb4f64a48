// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Checksum of IP, TCP and UDP: the one's complement sum of 16-bit words (RFC 1071). */
final class InternetChecksum {
  private long sum;

  /** Adds bytes from an absolute index; if their number is odd, a zero byte is added. */
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

  InternetChecksum add(int word) {
    assert word >>> 16 == 0 : word;
    sum += word;
    return this;
  }

  /** Complement of the sum; 0 if the bytes contain their own checksum. */
  int value() {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return (int) (~folded & 0xffff);
  }
}
