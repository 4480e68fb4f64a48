// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.util.zip.CRC32;

/**
 * Finds out whether any IPv4 identification makes an ICRC right. The identification is not known: a
 * UDP socket does not show it, the ICRC covers it, and peers such as Linux change it in every
 * packet.
 *
 * <p>CRC is affine, so each bit of the identification flips a fixed pattern in the result, which
 * depends only on the number of bytes after it. An identification explains a wrong ICRC if the
 * difference to the ICRC for identification 0 is a sum of those sixteen patterns. The polynomial is
 * primitive, so the patterns are independent, and one of 65536 random differences is such a sum by
 * chance.
 */
final class IpIdSolver {
  /** Polynomial 0x04c11db7 with its bits reversed. */
  private static final int POLYNOMIAL = 0xedb88320;

  /** Length of the longest RoCEv2 packet: 4096 bytes and the longest headers of an opcode. */
  private static final int CACHED_BYTES = 4096 + 64;

  private static final byte[] ZEROS = new byte[512];

  /**
   * Patterns for each length in words, created when needed, as an echelon basis: each vector is at
   * the index of its leading bit. At most 150 KiB when all lengths occur; nothing before the first
   * packet is received.
   */
  private int[][] basisOfWords = {};

  private final CRC32 crc = new CRC32();

  /** Whether an identification explains the difference, in a packet of a length from BTH to pad. */
  boolean explains(int difference, int length) {
    if (difference == 0) {
      return true;
    }
    int[] basis = basis(length);
    int rest = difference;
    while (rest != 0) {
      int vector = basis[leadingBit(rest)];
      if (vector == 0) {
        return false;
      }
      rest ^= vector;
    }
    return true;
  }

  private int[] basis(int length) {
    if (length > CACHED_BYTES || length % 4 != 0) {
      return newBasis(length);
    }
    if (basisOfWords.length == 0) {
      basisOfWords = new int[CACHED_BYTES / 4 + 1][];
    }
    int words = length / 4;
    if (basisOfWords[words] == null) {
      basisOfWords[words] = newBasis(length);
    }
    return basisOfWords[words];
  }

  private int[] newBasis(int length) {
    int bytesAfter = IpHeader.IPV4_BYTES - 6 + RoceV2.UDP_HEADER_BYTES + length;
    // CRC-32 takes the bits of a byte from the lowest up: 0x80 is the last bit of the field, and
    // each bit before it passes one more step of the register.
    int pattern = crcOf(0x80, bytesAfter) ^ crcOf(0, bytesAfter);
    int[] basis = new int[Integer.SIZE];
    for (int bit = 0; bit < Short.SIZE; bit++) {
      insert(pattern, basis);
      pattern = pattern >>> 1 ^ ((pattern & 1) == 0 ? 0 : POLYNOMIAL);
    }
    return basis;
  }

  private static void insert(int pattern, int[] basis) {
    int rest = pattern;
    while (basis[leadingBit(rest)] != 0) {
      rest ^= basis[leadingBit(rest)];
    }
    basis[leadingBit(rest)] = rest;
  }

  private static int leadingBit(int value) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value);
  }

  private int crcOf(int firstByte, int zerosAfter) {
    crc.reset();
    crc.update(firstByte);
    for (int left = zerosAfter; left > 0; left -= ZEROS.length) {
      crc.update(ZEROS, 0, Math.min(left, ZEROS.length));
    }
    return (int) crc.getValue();
  }
}
