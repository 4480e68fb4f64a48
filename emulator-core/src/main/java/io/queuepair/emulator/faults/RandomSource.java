// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Gives each statement of a plan its own random numbers, which depend on the seed and the
 * statement. Adding or removing other statements does not change them.
 */
final class RandomSource {
  private final long seed;
  private final Map<FaultStatement, Integer> countByStatement = new LinkedHashMap<>();

  RandomSource(long seed) {
    this.seed = seed;
  }

  SplittableRandom of(FaultStatement statement) {
    int sameBefore = countByStatement.merge(statement, 1, Integer::sum) - 1;
    long text = (long) statement.toString().hashCode() << Integer.SIZE;
    return new SplittableRandom(seed ^ text ^ sameBefore);
  }
}
