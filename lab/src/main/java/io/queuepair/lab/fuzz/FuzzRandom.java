// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random choices of one run, and random bytes that are no secret. */
final class FuzzRandom {
  private static final int POOL_BYTES = 16 << 10;

  private final Random random;
  private final byte[] pool = new byte[POOL_BYTES];

  FuzzRandom(Random random) {
    this.random = random;
    random.nextBytes(pool);
    for (int i = 0; i < pool.length; i++) {
      pool[i] = harmless(pool[i]);
    }
  }

  static byte harmless(byte value) {
    return value == GuardedMemory.SECRET ? 0 : value;
  }

  Random random() {
    return random;
  }

  /** Something that happens so many times of a hundred. */
  boolean of(int percent) {
    return random.nextInt(100) < percent;
  }

  /** 0 to one less than the bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  int any() {
    return random.nextInt();
  }

  long anyLong() {
    return random.nextLong();
  }

  <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  byte[] bytes(int length) {
    int from = random.nextInt(POOL_BYTES - length);
    return Arrays.copyOfRange(pool, from, from + length);
  }
}
