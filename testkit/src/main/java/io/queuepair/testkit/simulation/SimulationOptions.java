// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.simulation;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.QpType;
import java.util.List;

/**
 * What all seeds of a simulation have in common.
 *
 * @param faults what goes wrong; each seed has its own random numbers
 * @param connections pairs of queue pairs, at least 1
 * @param types of the connections, in turn; of RC, UC, UD
 */
public record SimulationOptions(FaultPlan faults, int connections, List<QpType> types) {
  /** RC, UC and UD, one connection of each, on a network without faults. */
  public static final SimulationOptions DEFAULT =
      new SimulationOptions(FaultPlan.none(), 3, List.of(QpType.RC, QpType.UC, QpType.UD));

  /**
   * These options on another network.
   *
   * @param other its faults
   * @return a changed copy
   */
  public SimulationOptions withFaults(FaultPlan other) {
    return new SimulationOptions(other, connections, types);
  }
}
