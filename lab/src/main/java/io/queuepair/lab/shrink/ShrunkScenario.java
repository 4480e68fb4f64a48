// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.SimulationFailure;
import io.queuepair.lab.simulation.WorkTestCase;
import io.queuepair.tools.scenario.ScenarioText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes a reduced failing simulation as a scenario. */
public final class ShrunkScenario {
  private ShrunkScenario() {}

  /** Returns a scenario that expects what happens, including the failure. */
  public static List<String> of(ShrinkResult<WorkTestCase> result, String command) {
    List<String> lines = new ArrayList<>();
    long seed = result.original().seed();
    lines.add("# Seed " + seed + ", reduced to " + result.smallest().size());
    lines.add("");
    lines.addAll(explanation(result, command));
    lines.add("");
    lines.add("```commands");
    lines.addAll(faults(result.smallest().faults(), result.recording().hosts()));
    lines.addAll(result.recording().lines());
    lines.add("```");
    return recorded(lines);
  }

  private static List<String> recorded(List<String> lines) {
    try {
      return ScenarioText.recorded(lines);
    } catch (RuntimeException | AssertionError broken) {
      // The run may throw: a broken device may be the bug being reproduced.
      List<String> unrecorded = new ArrayList<>(lines);
      unrecorded.add(2, "This breaks the device, so nothing is expected: `" + broken + "`.");
      return unrecorded;
    }
  }

  private static List<String> explanation(ShrinkResult<WorkTestCase> result, String command) {
    SimulationFailure left = result.recording().outcome().failure();
    return List.of(
        "`" + command + "` fails at " + result.failure() + ".",
        "Of " + result.original().size() + " this is left, found in " + result.runs() + " runs.",
        "It fails at " + left + ".",
        "",
        "The invariant that does not hold: `" + left.invariant() + "`.",
        "",
        "What is expected below is what happened, not what should: the scenario differs when the",
        "failure is gone. Calls and events are those of the simulation; addresses and keys of",
        "memory are not, and memory is wiped a little later than there.");
  }

  private static List<String> faults(FaultPlan plan, Map<String, String> hosts) {
    List<String> lines = new ArrayList<>();
    boolean needsSeed = plan.toString().contains("%") || plan.toString().contains("corrupt");
    if (needsSeed) {
      lines.add("fault seed " + plan.seed());
    }
    for (FaultPlan one : plan.each()) {
      String text = one.withSeed(0).toString();
      for (Map.Entry<String, String> host : hosts.entrySet()) {
        text = text.replace(host.getKey(), host.getValue());
      }
      lines.add("fault " + text);
    }
    return lines;
  }
}
