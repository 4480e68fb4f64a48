// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.QpType;
import java.util.List;

/**
 * Parameters that all seeds of a simulation share.
 *
 * @param faults fault plan; each seed uses its own random numbers
 * @param connections number of connections, at least 1
 * @param types types of queue pairs, used in turn
 * @param largestBytes largest message, {@value WorkSpec#MAX_BYTES} to 2^22; datagrams have at most
 *     the former
 */
public record SimulationOptions(
    FaultPlan faults, int connections, List<QpType> types, int largestBytes) {
  /** RC, UC and UD, one connection of each, on a network without faults. */
  public static final SimulationOptions DEFAULT =
      new SimulationOptions(FaultPlan.none(), 3, List.of(QpType.RC, QpType.UC, QpType.UD));

  /** Creates options for messages of usual length. */
  public SimulationOptions(FaultPlan faults, int connections, List<QpType> types) {
    this(faults, connections, types, WorkSpec.MAX_BYTES);
  }

  public SimulationOptions withFaults(FaultPlan other) {
    return new SimulationOptions(other, connections, types, largestBytes);
  }
}
