// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tools.recording.WrongCallException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Outcome of one scenario.
 *
 * @param answers results of the emulator for each step, up to the call in which the recorded
 *     program ended; empty if skipped
 * @param skipped reason why the scenario was not replayed; null if it was
 */
record ReplayOutcome(Scenario scenario, List<ObjectNode> answers, String skipped) {
  static ReplayOutcome of(Scenario scenario, DeviceProfile profile) {
    return of(scenario, profile, UnaryOperator.identity());
  }

  /** Replays a scenario on a decorated network. */
  static ReplayOutcome of(
      Scenario scenario, DeviceProfile profile, UnaryOperator<Fabric> fabricWrapper) {
    try {
      List<ObjectNode> answers =
          scenario.mode().equals(Scenario.RDMA_CM)
              ? ReplayedCmSession.run(scenario, profile, fabricWrapper)
              : Session.run(scenario, profile, fabricWrapper);
      return new ReplayOutcome(scenario, answers, null);
    } catch (WrongCallException reason) {
      return new ReplayOutcome(scenario, List.of(), reason.getMessage());
    }
  }

  boolean isSkipped() {
    return skipped != null;
  }

  /** Call during which the recorded program ended; null if it completed. */
  Step lastOfRecorded() {
    boolean isCut = !isSkipped() && answers.size() < scenario.steps().size();
    return isCut ? scenario.steps().get(answers.size()) : null;
  }

  /** All differences, accepted or not. */
  List<Difference> differences() {
    List<Difference> differences = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      differences.addAll(
          ResultComparison.of(scenario.name(), scenario.steps().get(i), answers.get(i)));
    }
    return differences;
  }
}
