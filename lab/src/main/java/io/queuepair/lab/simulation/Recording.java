// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.faults.FaultPlan;
import java.util.List;
import java.util.Map;

/**
 * Recorded simulation.
 *
 * @param appliedFaults faults that happened, each as a rule about one packet, without randomness
 * @param lines calls as statements of a scenario, without the faults; for connections through the
 *     connection manager, calls and events with their times
 * @param hosts names of the devices in {@code lines}, by their addresses as fault plans print them
 */
public record Recording(
    SimulationOutcome outcome,
    FaultPlan appliedFaults,
    List<String> lines,
    Map<String, String> hosts) {}
