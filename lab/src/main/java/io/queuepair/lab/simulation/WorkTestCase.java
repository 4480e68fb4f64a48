// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Work on queue pairs that are connected from the beginning.
 *
 * @param workload what is done
 * @param faults what goes wrong
 */
public record WorkTestCase(Workload workload, FaultPlan faults) implements TestCase<WorkTestCase> {
  /** Gives the faults the seed of the work. */
  public WorkTestCase {
    faults = faults.withSeed(workload.seed());
  }

  /**
   * The test case of a seed.
   *
   * @param seed any number
   * @param options what all seeds have in common
   * @return the same for the same arguments
   */
  public static WorkTestCase of(long seed, SimulationOptions options) {
    return new WorkTestCase(Workload.of(seed, options), options.faults());
  }

  @Override
  public long seed() {
    return workload.seed();
  }

  /** {@return what happens, in order} */
  public List<Action> actions() {
    return workload.actions();
  }

  /** {@return the connections} */
  public List<ConnectionConfig> connections() {
    return workload.plans();
  }

  /**
   * The same with other actions.
   *
   * @param actions what happens
   * @return a changed copy
   */
  public WorkTestCase withActions(List<Action> actions) {
    return with(workload.plans(), actions);
  }

  /**
   * The same with other connections.
   *
   * @param plans the connections
   * @param actions what happens
   * @return a changed copy
   */
  public WorkTestCase with(List<ConnectionConfig> plans, List<Action> actions) {
    Workload other = new Workload(seed(), List.copyOf(plans), List.copyOf(actions));
    return new WorkTestCase(other, faults);
  }

  @Override
  public WorkTestCase withFaults(FaultPlan plan) {
    return new WorkTestCase(workload, plan);
  }

  @Override
  public WorkTestCase upTo(int step) {
    return withActions(actions().subList(0, Math.min(actions().size(), step + 1)));
  }

  @Override
  public int parts() {
    return actions().size();
  }

  @Override
  public String size() {
    return TestCase.counted(actions().size(), "action")
        + ", "
        + TestCase.counted(connections().size(), "connection")
        + ", "
        + TestCase.counted(faults.each().size(), "fault");
  }

  @Override
  public SimulationOutcome run(UnaryOperator<Fabric> network, Consumer<Emulator> look) {
    return Simulation.run(this, network, look);
  }

  @Override
  public Recording record(UnaryOperator<Fabric> network) {
    return Simulation.record(this, network);
  }
}
