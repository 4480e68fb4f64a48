// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationOptions;
import io.queuepair.lab.simulation.SimulationOutcome;
import io.queuepair.lab.simulation.TestCase;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Connections through the connection manager.
 *
 * @param workload the connections
 * @param faults what goes wrong
 */
public record CmTestCase(CmWorkload workload, FaultPlan faults) implements TestCase<CmTestCase> {
  /** Gives the faults the seed of the work. */
  public CmTestCase {
    faults = faults.withSeed(workload.seed());
  }

  /**
   * The test case of a seed.
   *
   * @param seed any number
   * @param options what all seeds have in common; UC is left out, as it cannot be connected so
   * @return the same for the same arguments
   */
  public static CmTestCase of(long seed, SimulationOptions options) {
    List<QpType> types = options.types().stream().filter(type -> type != QpType.UC).toList();
    return new CmTestCase(CmWorkload.of(seed, options.connections(), types), options.faults());
  }

  @Override
  public long seed() {
    return workload.seed();
  }

  /** {@return the connections} */
  public List<CmConnectionPlan> connections() {
    return workload.connections();
  }

  /**
   * The same with other connections.
   *
   * @param plans the connections
   * @return a changed copy
   */
  public CmTestCase withConnections(List<CmConnectionPlan> plans) {
    return new CmTestCase(new CmWorkload(seed(), List.copyOf(plans)), faults);
  }

  @Override
  public CmTestCase withFaults(FaultPlan plan) {
    return new CmTestCase(workload, plan);
  }

  @Override
  public CmTestCase upTo(int step) {
    return this;
  }

  @Override
  public int parts() {
    return connections().size();
  }

  @Override
  public String size() {
    return TestCase.counted(connections().size(), "connection")
        + ", "
        + TestCase.counted(faults.each().size(), "fault");
  }

  @Override
  public SimulationOutcome run(UnaryOperator<Fabric> network, Consumer<Emulator> look) {
    return CmSimulation.run(this, network, look);
  }

  @Override
  public Recording record(UnaryOperator<Fabric> network) {
    return CmSimulation.record(this, network);
  }
}
