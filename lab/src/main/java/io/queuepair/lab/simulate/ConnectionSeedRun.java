// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.lab.cmsimulation.CmOutcome;
import io.queuepair.lab.cmsimulation.CmSimulation;
import io.queuepair.lab.cmsimulation.CmSimulationSummary;
import io.queuepair.lab.cmsimulation.CmSimulationTotals;
import io.queuepair.lab.cmsimulation.CmWorkload;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.simulation.SimulationOptions;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Random connections through the connection manager. */
final class ConnectionSeedRun implements SeedRun {
  private final SimulationOptions options;
  private final ShrinkOption shrink;
  private final UnaryOperator<Fabric> network;
  private final Consumer<Emulator> look;
  private final CmSimulationTotals totals = new CmSimulationTotals();

  ConnectionSeedRun(
      SimulationOptions options,
      ShrinkOption shrink,
      UnaryOperator<Fabric> network,
      Consumer<Emulator> look) {
    this.options = options;
    this.shrink = shrink;
    this.network = network;
    this.look = look;
  }

  private CmWorkload workload(long seed) {
    List<QpType> types = options.types().stream().filter(type -> type != QpType.UC).toList();
    return CmWorkload.of(seed, options.connections(), types);
  }

  @Override
  public String run(long seed) {
    CmOutcome outcome = CmSimulation.run(workload(seed), options.faults(), network, look);
    totals.add(outcome);
    if (outcome.failure() == null) {
      return null;
    }
    String failure = "seed " + seed + ", " + outcome.failure();
    totals.addFailure(failure);
    return failure;
  }

  @Override
  public void shrink(long seed, String command, ShrinkConsole console) {
    shrink.accept(workload(seed), options.faults().withSeed(seed), console);
  }

  @Override
  public long packets() {
    return totals.summary().packets();
  }

  @Override
  public long failures() {
    return totals.summary().failures();
  }

  @Override
  public RunTotals totals(String command, long first, long last) {
    return totals.totals(command, first, last);
  }

  @Override
  public List<String> summary() {
    CmSimulationSummary summary = totals.summary();
    return List.of(summary.connections(), summary.faults());
  }

  @Override
  public String line() {
    return totals.summary().line();
  }
}
