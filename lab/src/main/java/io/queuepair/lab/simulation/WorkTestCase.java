// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Work on connected queue pairs, with faults: the input of one simulation. */
public record WorkTestCase(
    long seed, List<ConnectionConfig> connections, List<Action> actions, FaultPlan faults)
    implements TestCase<WorkTestCase> {
  /** Gives the fault plan the seed of the test case. */
  public WorkTestCase {
    connections = List.copyOf(connections);
    actions = List.copyOf(actions);
    faults = faults.withSeed(seed);
  }

  /** Generates the test case of a seed; the same options give the same case. */
  public static WorkTestCase of(long seed, SimulationOptions options) {
    return new WorkGenerator(seed, options).testCase();
  }

  /** Length of the longest message, illegal ones included; at least the default maximum. */
  int longestBytes() {
    return longest(work -> true, WorkSpec.MAX_BYTES + WorkGenerator.EXCESS_BYTES);
  }

  /** Length of the longest message that may arrive; at least the default maximum. */
  int longestArrivingBytes() {
    return longest(work -> work.error() != InjectedError.TOO_LONG, WorkSpec.MAX_BYTES);
  }

  private int longest(Predicate<WorkSpec> isMeant, int leastBytes) {
    return actions.stream()
        .filter(Action.Post.class::isInstance)
        .map(action -> ((Action.Post) action).work())
        .filter(isMeant)
        .mapToInt(WorkSpec::bytes)
        .reduce(leastBytes, Math::max);
  }

  public WorkTestCase withActions(List<Action> others) {
    return new WorkTestCase(seed, connections, others, faults);
  }

  public WorkTestCase with(List<ConnectionConfig> otherConnections, List<Action> otherActions) {
    return new WorkTestCase(seed, otherConnections, otherActions, faults);
  }

  @Override
  public WorkTestCase withFaults(FaultPlan plan) {
    return new WorkTestCase(seed, connections, actions, plan);
  }

  @Override
  public WorkTestCase upTo(int step) {
    return withActions(actions.subList(0, Math.min(actions.size(), step + 1)));
  }

  @Override
  public int parts() {
    return actions.size();
  }

  @Override
  public String size() {
    return String.join(
        ", ",
        TestCase.counted(actions.size(), "action"),
        TestCase.counted(connections.size(), "connection"),
        TestCase.counted(faults.each().size(), "fault"));
  }

  @Override
  public SimulationOutcome run(UnaryOperator<Fabric> fabricWrapper, Consumer<Emulator> look) {
    return Simulation.run(this, fabricWrapper, look);
  }

  @Override
  public Recording record(UnaryOperator<Fabric> fabricWrapper) {
    return Simulation.record(this, fabricWrapper);
  }
}
