package io.queuepair.tools.shrink;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.tools.workload.Failure;
import io.queuepair.tools.workload.Recording;
import io.queuepair.tools.workload.Simulation;
import java.util.function.UnaryOperator;

/** Says whether a specimen fails in the way that is looked for. */
final class Trial {
  private final String invariant;
  private final UnaryOperator<Fabric> network;
  private final Shrinker.Progress progress;
  private int runs;

  /**
   * For one failure.
   *
   * @param invariant what does not hold
   * @param network decorates the network of each run
   * @param progress is told of every specimen that fails
   */
  Trial(String invariant, UnaryOperator<Fabric> network, Shrinker.Progress progress) {
    this.invariant = invariant;
    this.network = network;
    this.progress = progress;
  }

  boolean fails(Specimen specimen) {
    runs++;
    Failure failure = Simulation.run(specimen.workload(), specimen.faults(), network).failure();
    boolean isIt = failure != null && failure.invariant().equals(invariant);
    if (isIt) {
      progress.smaller(specimen, runs);
    }
    return isIt;
  }

  Recording record(Specimen specimen) {
    runs++;
    return Simulation.record(specimen.workload(), specimen.faults(), network);
  }

  int runs() {
    return runs;
  }
}
