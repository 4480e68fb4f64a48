package io.queuepair.tools.shrink;

/** Leaves actions out. */
final class FewerActions implements Reduction {
  @Override
  public Specimen apply(Specimen specimen, Trial trial) {
    return specimen.withActions(
        DeltaDebugging.minimal(
            specimen.workload().actions(), actions -> trial.fails(specimen.withActions(actions))));
  }
}
