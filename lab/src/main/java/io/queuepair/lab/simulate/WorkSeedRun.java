// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.shrink.TestCase;
import io.queuepair.lab.simulation.Simulation;
import io.queuepair.lab.simulation.SimulationOptions;
import io.queuepair.lab.simulation.SimulationOutcome;
import io.queuepair.lab.simulation.SimulationSummary;
import io.queuepair.lab.simulation.SimulationTotals;
import io.queuepair.lab.simulation.Workload;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Random work on queue pairs that are connected from the beginning. */
final class WorkSeedRun implements SeedRun {
  private final SimulationOptions options;
  private final ShrinkOption shrink;
  private final UnaryOperator<Fabric> network;
  private final Consumer<Emulator> look;
  private final SimulationTotals totals = new SimulationTotals();

  WorkSeedRun(
      SimulationOptions options,
      ShrinkOption shrink,
      UnaryOperator<Fabric> network,
      Consumer<Emulator> look) {
    this.options = options;
    this.shrink = shrink;
    this.network = network;
    this.look = look;
  }

  @Override
  public String run(long seed) {
    Workload workload = Workload.of(seed, options);
    SimulationOutcome outcome = Simulation.run(workload, options.faults(), network, look);
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
    TestCase failing = TestCase.of(Workload.of(seed, options), options.faults());
    shrink.accept(failing, command, console);
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
    SimulationSummary summary = totals.summary();
    return List.of(summary.sends(), summary.faults());
  }

  @Override
  public String line() {
    return totals.summary().line();
  }
}
