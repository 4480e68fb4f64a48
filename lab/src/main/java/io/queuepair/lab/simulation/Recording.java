// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.faults.FaultPlan;
import java.util.List;
import java.util.Map;

/**
 * A simulation that was written down.
 *
 * @param appliedFaults what went wrong, without chance: each fault is a rule about one packet
 * @param lines what was done to the devices, in the language of scenarios, without the faults; of
 *     connections through the connection manager, calls and events with their times
 * @param hosts what the devices are called there, by their addresses as fault plans print them
 */
public record Recording(
    SimulationOutcome outcome,
    FaultPlan appliedFaults,
    List<String> lines,
    Map<String, String> hosts) {}
