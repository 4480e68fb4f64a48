// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.threads.DeltaDebugging;
import io.queuepair.lab.simulation.TestCase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** One way to make a test case smaller or simpler. */
@FunctionalInterface
interface Reduction<T extends TestCase<T>> {
  /** Reduces a failing test case to a smaller one that fails; an equal one if none does. */
  T apply(T testCase, FailurePredicate<T> predicate);

  /** Removes items, down to a least number. */
  static <T extends TestCase<T>, I> Reduction<T> removing(
      Function<T, List<I>> items, BiFunction<T, List<I>, T> with, int fewest) {
    return (testCase, predicate) ->
        with.apply(
            testCase,
            DeltaDebugging.minimal(
                items.apply(testCase),
                fewer -> fewer.size() >= fewest && predicate.fails(with.apply(testCase, fewer))));
  }

  /** Tries each of some simplifications on each item. */
  static <T extends TestCase<T>, I> Reduction<T> simplifying(
      Function<T, List<I>> items, BiFunction<T, List<I>, T> with, List<UnaryOperator<I>> ways) {
    return (testCase, predicate) -> {
      T simplest = testCase;
      for (int i = 0; i < items.apply(testCase).size(); i++) {
        for (UnaryOperator<I> way : ways) {
          List<I> changed = new ArrayList<>(items.apply(simplest));
          I present = changed.set(i, way.apply(changed.get(i)));
          T simpler = with.apply(simplest, changed);
          boolean isOther = !changed.get(i).equals(present);
          simplest = isOther && predicate.fails(simpler) ? simpler : simplest;
        }
      }
      return simplest;
    };
  }
}
