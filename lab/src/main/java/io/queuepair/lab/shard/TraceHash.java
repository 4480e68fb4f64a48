// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * 64-bit hash of the sent packets and completions, in order: a CRC-32 in the upper half, a CRC-32C
 * in the lower half. For one thread.
 */
public final class TraceHash {
  /** CRC-32 polynomial; the lowest bit is the coefficient of the highest power. */
  private static final int CRC32_POLYNOMIAL = 0xedb8_8320;

  private static final int CRC32C_POLYNOMIAL = 0x82f6_3b78;

  private final Checksum high = new CRC32();
  private final Checksum low = new CRC32C();
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
  private long packets;
  private long completions;

  public TraceHash() {}

  public void packet(long nowNanos, ByteBuffer bytes) {
    packets++;
    add(nowNanos);
    high.update(bytes.duplicate());
    low.update(bytes.duplicate());
  }

  public void completion(WorkCompletion completion) {
    completions++;
    String text =
        String.join(
            " ",
            Long.toString(completion.wrId()),
            completion.status().name(),
            completion.opcode().name(),
            Integer.toString(completion.qpNum()),
            Integer.toString(completion.byteLen()),
            Integer.toHexString(completion.immData()));
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    high.update(bytes);
    low.update(bytes);
  }

  public void add(long value) {
    byte[] bytes = number.putLong(0, value).array();
    high.update(bytes);
    low.update(bytes);
  }

  public long packets() {
    return packets;
  }

  public long completions() {
    return completions;
  }

  public long value() {
    return high.getValue() << Integer.SIZE | low.getValue();
  }

  /** Hash of two joined sequences, from their hashes and the length of the second. */
  static long joined(long head, long tail, long tailNumbers) {
    long zeros = tailNumbers * Long.SIZE;
    int high = (int) (head >>> Integer.SIZE);
    int low = (int) head;
    long shifted =
        (long) afterZeros(high, zeros, CRC32_POLYNOMIAL) << Integer.SIZE
            | Integer.toUnsignedLong(afterZeros(low, zeros, CRC32C_POLYNOMIAL));
    return shifted ^ tail;
  }

  /**
   * CRC remainder after a number of zero bits: the product with that power of x, modulo the
   * polynomial. The initial value and the final inversion of the two checksums cancel each other
   * out.
   */
  private static int afterZeros(int remainder, long zeros, int polynomial) {
    int result = remainder;
    int square = 1 << (Integer.SIZE - 2); // x to the power of 1, then 2, 4, 8 ...
    for (long left = zeros; left > 0; left >>= 1) {
      if ((left & 1) != 0) {
        result = product(result, square, polynomial);
      }
      square = product(square, square, polynomial);
    }
    return result;
  }

  private static int product(int one, int other, int polynomial) {
    int sum = 0;
    int shifted = other;
    for (int bit = Integer.SIZE - 1; bit >= 0; bit--) {
      if ((one >>> bit & 1) != 0) {
        sum ^= shifted;
      }
      shifted = shifted >>> 1 ^ ((shifted & 1) != 0 ? polynomial : 0);
    }
    return sum;
  }
}
