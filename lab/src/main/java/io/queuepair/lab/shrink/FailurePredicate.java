// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.Simulation;
import io.queuepair.lab.simulation.SimulationFailure;
import java.util.function.UnaryOperator;

/** Says whether a specimen fails in the way that is looked for. */
final class FailurePredicate {
  private final String invariant;
  private final UnaryOperator<Fabric> network;
  private final Shrinker.ShrinkListener progress;
  private int runs;

  /**
   * For one failure.
   *
   * @param invariant what does not hold
   * @param network decorates the network of each run
   * @param progress called with every specimen that fails
   */
  FailurePredicate(
      String invariant, UnaryOperator<Fabric> network, Shrinker.ShrinkListener progress) {
    this.invariant = invariant;
    this.network = network;
    this.progress = progress;
  }

  boolean fails(TestCase testCase) {
    runs++;
    SimulationFailure failure =
        Simulation.run(testCase.workload(), testCase.faults(), network).failure();
    boolean isIt = failure != null && failure.invariant().equals(invariant);
    if (isIt) {
      progress.smaller(testCase, runs);
    }
    return isIt;
  }

  Recording record(TestCase testCase) {
    runs++;
    return Simulation.record(testCase.workload(), testCase.faults(), network);
  }

  int runs() {
    return runs;
  }
}
