// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/**
 * Arithmetic on packet sequence numbers of 24 bits, which wrap (InfiniBand Architecture, Packet
 * Sequence Numbers). Two PSNs can be ordered while they are less than 2^23 apart. These are static
 * functions on {@code int}, as a value type would allocate memory for every packet.
 */
public final class Psn {
  public static final int MASK = 0xffffff;

  private Psn() {}

  public static int add(int psn, int n) {
    return psn + n & MASK;
  }

  public static int next(int psn) {
    return add(psn, 1);
  }

  /** Number of steps forward from one PSN to another, 0 to 2^24-1. */
  public static int distance(int from, int to) {
    return to - from & MASK;
  }

  /** Distance of {@code a} ahead of {@code b}; negative if it is behind, also at exactly 2^23. */
  public static int compare(int a, int b) {
    return ((a - b) << 8) >> 8;
  }

  public static boolean isBefore(int a, int b) {
    return compare(a, b) < 0;
  }
}
