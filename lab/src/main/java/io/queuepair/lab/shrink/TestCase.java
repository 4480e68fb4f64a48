// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.Action;
import io.queuepair.lab.simulation.ConnectionConfig;
import io.queuepair.lab.simulation.Workload;
import java.util.List;

/**
 * A simulation as data: everything on which its outcome depends.
 *
 * @param workload what is done
 * @param faults what goes wrong
 */
public record TestCase(Workload workload, FaultPlan faults) {
  /**
   * The specimen of a seed.
   *
   * @param workload what the seed does
   * @param faults what goes wrong, whatever the seed of that plan
   * @return both, with the seed of the workload
   */
  public static TestCase of(Workload workload, FaultPlan faults) {
    return new TestCase(workload, faults.withSeed(workload.seed()));
  }

  TestCase withActions(List<Action> actions) {
    Workload other = new Workload(workload.seed(), workload.plans(), List.copyOf(actions));
    return new TestCase(other, faults);
  }

  TestCase with(List<ConnectionConfig> plans, List<Action> actions) {
    Workload other = new Workload(workload.seed(), List.copyOf(plans), List.copyOf(actions));
    return new TestCase(other, faults);
  }

  TestCase withFaults(FaultPlan plan) {
    return new TestCase(workload, plan.withSeed(workload.seed()));
  }

  /** {@return what it consists of, in a few words} */
  public String size() {
    return counted(workload.actions().size(), "action")
        + ", "
        + counted(workload.plans().size(), "connection")
        + ", "
        + counted(faults.each().size(), "fault");
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
