// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tools.recording.VirtualClock;
import io.queuepair.tools.recording.WrongCallException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Run of an rdma_cm program: server and client, each on a host, in virtual time. */
final class ReplayedCmSession implements AutoCloseable {
  /** Approximate duration of a call of the recording program, for which the network runs. */
  private static final long NANOS_PER_CALL = 200_000;

  private static final Map<String, String> ADDRESSES = Map.of("S", "192.0.2.5", "C", "192.0.2.6");

  private final Emulator emulator;
  private final VirtualClock clock;
  private final Map<String, ReplayedCmProgram> sides;

  private ReplayedCmSession(
      Scenario scenario, DeviceProfile profile, UnaryOperator<Fabric> fabricWrapper) {
    InMemoryOptions options = InMemoryOptions.virtualTime().withPollRunsEvents(false);
    Fabric fabric = fabricWrapper.apply(InMemoryFabric.create(options));
    emulator = Emulator.on(fabric);
    clock = new VirtualClock(fabric.scheduler());
    EmulatedDevice ofServer = emulator.addDevice(profile, ADDRESSES.get("S"));
    EmulatedDevice ofClient = emulator.addDevice(profile, ADDRESSES.get("C"));
    int firstPort = firstPort(scenario);
    sides =
        Map.of(
            "S", new ReplayedCmProgram(emulator.rdmaCm(ofServer), ADDRESSES, firstPort),
            "C", new ReplayedCmProgram(emulator.rdmaCm(ofClient), ADDRESSES, firstPort));
  }

  /** The lowest port that the program names, to which ports are relative; 0 if none. */
  private static int firstPort(Scenario scenario) {
    return scenario.steps().stream()
        .mapToInt(step -> step.args().path("port").asInt())
        .filter(port -> port > 0)
        .min()
        .orElse(0);
  }

  /** Runs a program to its end, or to where the recorded one ended; gives all results. */
  static List<ObjectNode> run(
      Scenario scenario, DeviceProfile profile, UnaryOperator<Fabric> fabricWrapper) {
    for (Step step : scenario.steps()) {
      if (!ADDRESSES.containsKey(step.side())) {
        throw new WrongCallException("side '" + step.side() + "' is not known");
      }
    }
    List<ObjectNode> answers = new ArrayList<>();
    try (ReplayedCmSession session = new ReplayedCmSession(scenario, profile, fabricWrapper)) {
      for (Step step : scenario.steps()) {
        if (step.result().has("died") || step.result().has("hang")) {
          return answers;
        }
        answers.add(session.sides.get(step.side()).run(step));
        session.clock.run(NANOS_PER_CALL);
      }
    }
    return answers;
  }

  @Override
  public void close() {
    emulator.close();
  }
}
