package io.queuepair.tools.shrink;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.tools.workload.Action;
import io.queuepair.tools.workload.Failure;
import io.queuepair.tools.workload.Recording;
import io.queuepair.tools.workload.Simulation;
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
          new FewerActions(),
          new JoinedRuns(),
          new FewerConnections(),
          new SimplerPlans(),
          new SimplerActions(),
          new FewerFaults(),
          new SimplerFaults(),
          new LooserFaults());

  /** More rounds than any specimen should need: each makes the specimen smaller. */
  private static final int MOST_ROUNDS = 20;

  private final UnaryOperator<Fabric> network;
  private final Progress progress;

  /** Is told how far a reduction is. */
  @FunctionalInterface
  public interface Progress {
    /**
     * A smaller specimen fails.
     *
     * @param specimen the smallest so far
     * @param runs simulations so far
     */
    void smaller(Specimen specimen, int runs);
  }

  /**
   * A shrinker.
   *
   * @param network decorates the network of each run
   * @param progress is told of every specimen that fails
   */
  public Shrinker(UnaryOperator<Fabric> network, Progress progress) {
    this.network = network;
    this.progress = progress;
  }

  /**
   * Reduces a specimen.
   *
   * @param specimen which fails
   * @return the smallest that fails in the same way
   * @throws IllegalArgumentException if it does not fail
   */
  public Shrunk shrink(Specimen specimen) {
    Failure failure = Simulation.run(specimen.workload(), specimen.faults(), network).failure();
    if (failure == null) {
      throw new IllegalArgumentException("seed " + specimen.workload().seed() + " does not fail");
    }
    Trial trial = new Trial(failure.invariant(), network, progress);
    Specimen smallest = cut(specimen, failure, trial);
    Specimen before = null;
    for (int round = 0; round < MOST_ROUNDS && !smallest.equals(before); round++) {
      before = smallest;
      for (Reduction reduction : REDUCTIONS) {
        smallest = reduction.apply(smallest, trial);
      }
    }
    Recording recording = trial.record(smallest);
    return new Shrunk(specimen, failure, smallest, recording, trial.runs());
  }

  /** What comes behind the failure does not matter. */
  private static Specimen cut(Specimen specimen, Failure failure, Trial trial) {
    List<Action> actions = specimen.workload().actions();
    int end = Math.min(actions.size(), failure.step() + 1);
    Specimen shorter = specimen.withActions(actions.subList(0, end));
    return trial.fails(shorter) ? shorter : specimen;
  }
}
