// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.lab.cmsimulation.CmTestCase;
import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationFailure;
import io.queuepair.lab.simulation.TestCase;
import io.queuepair.lab.simulation.WorkTestCase;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Reduces a failing test case until nothing more can be removed. The result violates the same
 * invariant. Deterministic: equal test cases give equal results.
 */
public final class Shrinker<T extends TestCase<T>> {
  /** Limit of rounds, more than any test case should need: each round makes it smaller. */
  private static final int MOST_ROUNDS = 20;

  private final List<Reduction<T>> reductions;
  private final ShrinkListener<T> listener;

  /** Receives progress of a reduction. */
  @FunctionalInterface
  public interface ShrinkListener<T> {
    /** Reports the smallest failing test case so far, and the number of simulations run. */
    void smaller(T testCase, int runs);
  }

  private Shrinker(List<Reduction<T>> reductions, ShrinkListener<T> listener) {
    this.reductions = reductions;
    this.listener = listener;
  }

  public static Shrinker<WorkTestCase> ofWork(ShrinkListener<WorkTestCase> listener) {
    return new Shrinker<>(WorkReductions.ALL, listener);
  }

  public static Shrinker<CmTestCase> ofConnections(ShrinkListener<CmTestCase> listener) {
    return new Shrinker<>(CmReductions.ALL, listener);
  }

  /** Reduces a test case on a network without decoration. */
  public ShrinkResult<T> shrink(T testCase) {
    return shrink(testCase, UnaryOperator.identity());
  }

  /** Reduces a case to the smallest that violates the same invariant, on this network. */
  public ShrinkResult<T> shrink(T testCase, UnaryOperator<Fabric> fabricWrapper) {
    SimulationFailure failure = testCase.run(fabricWrapper).failure();
    if (failure == null) {
      throw new IllegalArgumentException("seed " + testCase.seed() + " does not fail");
    }
    FailurePredicate<T> predicate =
        new FailurePredicate<>(failure.invariant(), fabricWrapper, listener);
    T shorter = testCase.upTo(failure.step());
    T smallest = predicate.fails(shorter) ? shorter : testCase;
    T before = null;
    for (int round = 0; round < MOST_ROUNDS && !smallest.equals(before); round++) {
      before = smallest;
      for (Reduction<T> reduction : reductions) {
        smallest = reduction.apply(smallest, predicate);
      }
    }
    Recording recording = predicate.record(smallest);
    return new ShrinkResult<>(testCase, failure, smallest, recording, predicate.runs());
  }
}
