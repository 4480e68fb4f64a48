// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationFailure;
import io.queuepair.lab.simulation.TestCase;
import java.util.function.UnaryOperator;

/** Predicate: whether a test case violates a given invariant. */
final class FailurePredicate<T extends TestCase<T>> {
  private final String invariant;
  private final UnaryOperator<Fabric> fabricWrapper;
  private final Shrinker.ShrinkListener<T> listener;
  private int runs;

  /** Creates the predicate of an invariant; the listener gets each case that violates it. */
  FailurePredicate(
      String invariant, UnaryOperator<Fabric> fabricWrapper, Shrinker.ShrinkListener<T> listener) {
    this.invariant = invariant;
    this.fabricWrapper = fabricWrapper;
    this.listener = listener;
  }

  boolean fails(T testCase) {
    runs++;
    SimulationFailure failure = testCase.run(fabricWrapper).failure();
    boolean isSame = failure != null && failure.invariant().equals(invariant);
    if (isSame) {
      listener.smaller(testCase, runs);
    }
    return isSame;
  }

  Recording record(T testCase) {
    runs++;
    return testCase.record(fabricWrapper);
  }

  int runs() {
    return runs;
  }
}
