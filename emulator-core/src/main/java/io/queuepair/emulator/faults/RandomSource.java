package io.queuepair.emulator.faults;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Gives each statement of a plan random numbers of its own, which depend on the seed and the
 * statement: others can be added and removed without a change to it.
 */
final class RandomSource {
  private final long seed;
  private final Map<Statement, Integer> given = new LinkedHashMap<>();

  RandomSource(long seed) {
    this.seed = seed;
  }

  SplittableRandom of(Statement statement) {
    int sameBefore = given.merge(statement, 1, Integer::sum) - 1;
    long text = (long) statement.toString().hashCode() << Integer.SIZE;
    return new SplittableRandom(seed ^ text ^ sameBefore);
  }
}
