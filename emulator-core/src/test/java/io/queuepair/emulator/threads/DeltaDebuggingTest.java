// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a failure needs of a list is found in few trials, and nothing of it is left out. */
final class DeltaDebuggingTest {
  private final List<List<Integer>> tried = new ArrayList<>();

  private static List<Integer> upTo(int last) {
    return IntStream.rangeClosed(1, last).boxed().toList();
  }

  private List<Integer> minimal(List<Integer> items, Predicate<List<Integer>> fails) {
    return DeltaDebugging.minimal(
        items,
        fewer -> {
          tried.add(fewer);
          return fails.test(fewer);
        });
  }

  @Test
  void leavesOutAllIfNothingIsNeeded() {
    assertThat(minimal(upTo(9), fewer -> true)).isEmpty();
    assertThat(tried).containsExactly(List.of());
  }

  @Test
  void leavesOutHalvesThenQuartersThenSingleItems() {
    assertThat(minimal(upTo(4), fewer -> fewer.containsAll(List.of(2, 3)))).containsExactly(2, 3);
    assertThat(tried)
        .containsExactly(
            List.of(),
            List.of(3, 4),
            List.of(1, 2),
            List.of(2, 3, 4),
            List.of(3, 4),
            List.of(2, 4),
            List.of(2, 3),
            List.of(3),
            List.of(2));
  }

  @Test
  void findsTheNeededOnesOfMany() {
    assertThat(minimal(upTo(1_000), fewer -> fewer.containsAll(List.of(17, 500, 1_000))))
        .containsExactly(17, 500, 1_000);
    assertThat(tried).hasSizeLessThan(100);
  }

  /** 2 is needed only as long as 3 is there. */
  @Test
  void triesAgainWhatWasNeededBefore() {
    Predicate<List<Integer>> needsTwoUnlessThree =
        fewer -> fewer.contains(4) && (fewer.contains(2) || !fewer.contains(3));

    assertThat(minimal(upTo(4), needsTwoUnlessThree)).containsExactly(4);
  }

  @Test
  void triesNothingOfNothing() {
    assertThat(minimal(List.of(), fewer -> true)).isEmpty();
    assertThat(tried).isEmpty();
  }
}
