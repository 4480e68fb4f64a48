// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.lab.simulation.Action;
import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.Simulation;
import io.queuepair.lab.simulation.SimulationFailure;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Reduces a specimen that fails until nothing can be left out any more. What is left violates the
 * same invariant. The same specimen gives the same result, always.
 */
public final class Shrinker {
  /** What is done to a specimen, again and again until nothing helps: what removes most first. */
  private static final List<Reduction> REDUCTIONS =
      List.of(
          new RemoveActions(),
          new JoinRuns(),
          new RemoveConnections(),
          new SimplifyConnections(),
          new SimplifyActions(),
          new RemoveFaults(),
          new SimplifyFaults(),
          new RelaxFaultFilters());

  /** More rounds than any specimen should need: each makes the specimen smaller. */
  private static final int MOST_ROUNDS = 20;

  private final UnaryOperator<Fabric> network;
  private final ShrinkListener progress;

  /** Called with how far a reduction is. */
  @FunctionalInterface
  public interface ShrinkListener {
    /**
     * A smaller specimen fails.
     *
     * @param testCase the smallest so far
     * @param runs simulations so far
     */
    void smaller(TestCase testCase, int runs);
  }

  /**
   * A shrinker.
   *
   * @param network decorates the network of each run
   * @param progress called with every specimen that fails
   */
  public Shrinker(UnaryOperator<Fabric> network, ShrinkListener progress) {
    this.network = network;
    this.progress = progress;
  }

  /**
   * Reduces a specimen.
   *
   * @param testCase which fails
   * @return the smallest that fails in the same way
   * @throws IllegalArgumentException if it does not fail
   */
  public ShrinkResult shrink(TestCase testCase) {
    SimulationFailure failure =
        Simulation.run(testCase.workload(), testCase.faults(), network).failure();
    if (failure == null) {
      throw new IllegalArgumentException("seed " + testCase.workload().seed() + " does not fail");
    }
    FailurePredicate trial = new FailurePredicate(failure.invariant(), network, progress);
    TestCase smallest = cut(testCase, failure, trial);
    TestCase before = null;
    for (int round = 0; round < MOST_ROUNDS && !smallest.equals(before); round++) {
      before = smallest;
      for (Reduction reduction : REDUCTIONS) {
        smallest = reduction.apply(smallest, trial);
      }
    }
    Recording recording = trial.record(smallest);
    return new ShrinkResult(testCase, failure, smallest, recording, trial.runs());
  }

  /** What comes behind the failure does not matter. */
  private static TestCase cut(
      TestCase testCase, SimulationFailure failure, FailurePredicate trial) {
    List<Action> actions = testCase.workload().actions();
    int end = Math.min(actions.size(), failure.step() + 1);
    TestCase shorter = testCase.withActions(actions.subList(0, end));
    return trial.fails(shorter) ? shorter : testCase;
  }
}
