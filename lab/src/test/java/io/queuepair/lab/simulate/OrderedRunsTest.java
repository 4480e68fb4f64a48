// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderedRunsTest {
  @Test
  void resultsComeInTheOrderOfTheSeeds() {
    List<Long> results = new ArrayList<>();
    try (OrderedRuns<Long> runs = new OrderedRuns<>(-3, 200, OrderedRunsTest::slowFirst)) {
      for (long seed = -3; seed <= 200; seed++) {
        results.add(runs.next());
      }
    }
    for (int i = 0; i < 204; i++) {
      assertEquals(i - 3, results.get(i));
    }
  }

  /** Lower seeds take longer. */
  private static long slowFirst(long seed) {
    long value = seed;
    for (long i = 0; i < (200 - seed) * 1000; i++) {
      value = value * 31 + 1;
    }
    return value == 0 ? 0 : seed;
  }

  @Test
  void whatARunThrowsIsTheCause() {
    IllegalArgumentException thrown = new IllegalArgumentException("of a run");
    try (OrderedRuns<Long> runs =
        new OrderedRuns<>(
            1,
            2,
            seed -> {
              throw thrown;
            })) {
      assertSame(thrown, assertThrows(IllegalStateException.class, runs::next).getCause());
    }
  }
}
