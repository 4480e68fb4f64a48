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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Connections through the connection manager, with faults: the input of one simulation. */
public record CmTestCase(long seed, List<CmConnectionPlan> connections, FaultPlan faults)
    implements TestCase<CmTestCase> {
  /** Most messages that each side sends, and the receives that it posts. */
  static final int MOST_MESSAGES = 6;

  private static final int LONGEST_ANSWER_MILLIS = 12_000;
  private static final int LONGEST_END_MILLIS = 20_000;

  /** Gives the fault plan the seed of the test case. */
  public CmTestCase {
    connections = List.copyOf(connections);
    faults = faults.withSeed(seed);
  }

  /** Generates the test case of a seed, without UC, which the connection manager lacks. */
  public static CmTestCase of(long seed, SimulationOptions options) {
    List<QpType> types = options.types().stream().filter(type -> type != QpType.UC).toList();
    Random random = new Random(seed);
    List<CmConnectionPlan> plans = new ArrayList<>();
    for (int i = 0; i < options.connections(); i++) {
      plans.add(plan(random, types.get(i % types.size())));
    }
    return new CmTestCase(seed, plans, options.faults());
  }

  private static CmConnectionPlan plan(Random random, QpType type) {
    CmEnding[] endings = CmEnding.values();
    return new CmConnectionPlan(
        type,
        answer(random.nextInt(8)),
        mostlyShort(random, LONGEST_ANSWER_MILLIS),
        endings[random.nextInt(endings.length)],
        mostlyShort(random, LONGEST_END_MILLIS),
        random.nextInt(MOST_MESSAGES + 1));
  }

  private static CmAnswer answer(int chance) {
    return switch (chance) {
      case 0 -> CmAnswer.REJECT;
      case 1 -> CmAnswer.DESTROY;
      default -> CmAnswer.ACCEPT;
    };
  }

  private static int mostlyShort(Random random, int longest) {
    return random.nextInt(3) == 0 ? random.nextInt(longest) : random.nextInt(20);
  }

  public CmTestCase withConnections(List<CmConnectionPlan> plans) {
    return new CmTestCase(seed, plans, faults);
  }

  @Override
  public CmTestCase withFaults(FaultPlan plan) {
    return new CmTestCase(seed, connections, plan);
  }

  @Override
  public CmTestCase upTo(int step) {
    return this;
  }

  @Override
  public int parts() {
    return connections.size();
  }

  @Override
  public String size() {
    return TestCase.counted(connections.size(), "connection")
        + ", "
        + TestCase.counted(faults.each().size(), "fault");
  }

  @Override
  public SimulationOutcome run(UnaryOperator<Fabric> fabricWrapper, Consumer<Emulator> look) {
    return CmSimulation.run(this, fabricWrapper, look);
  }

  @Override
  public Recording record(UnaryOperator<Fabric> fabricWrapper) {
    return CmSimulation.record(this, fabricWrapper);
  }
}
