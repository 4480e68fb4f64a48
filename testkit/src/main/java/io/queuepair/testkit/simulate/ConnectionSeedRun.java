// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.simulate;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.testkit.cmsimulation.CmOutcome;
import io.queuepair.testkit.cmsimulation.CmSimulation;
import io.queuepair.testkit.cmsimulation.CmSimulationSummary;
import io.queuepair.testkit.cmsimulation.CmWorkload;
import io.queuepair.testkit.shard.RunTotals;
import io.queuepair.testkit.simulation.SimulationOptions;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Random connections through the connection manager. */
final class ConnectionSeedRun implements SeedRun {
  private final SimulationOptions options;
  private final ShrinkOption shrink;
  private final UnaryOperator<Fabric> network;
  private final Consumer<Emulator> look;
  private final CmSimulationSummary summary = new CmSimulationSummary();

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
    summary.add(outcome);
    return outcome.failure() == null ? null : "seed " + seed + ", " + outcome.failure();
  }

  @Override
  public void shrink(long seed, String command, ShrinkConsole console) {
    shrink.accept(workload(seed), options.faults().withSeed(seed), console);
  }

  @Override
  public long packets() {
    return summary.packets();
  }

  @Override
  public long failures() {
    return summary.failures();
  }

  @Override
  public Optional<RunTotals> totals(String command, long first, long last) {
    return Optional.empty();
  }

  @Override
  public List<String> summary() {
    return List.of(summary.connections(), summary.faults());
  }

  @Override
  public String line() {
    return summary.line();
  }
}
