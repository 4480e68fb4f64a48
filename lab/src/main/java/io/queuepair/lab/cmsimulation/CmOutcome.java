// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.SimulationFailure;
import java.util.List;
import java.util.Map;

/**
 * What became of one seed.
 *
 * @param seed which
 * @param failure what went wrong and when; null if nothing did
 * @param packets sent
 * @param ends how many connections came to what end
 * @param messages posted and arrived
 * @param faults how often each statement of the fault plan was carried out
 * @param trace hash of all packets and events, in order
 * @param record what happened
 */
public record CmOutcome(
    long seed,
    SimulationFailure failure,
    long packets,
    Map<CmResult, Long> ends,
    CmMessageCounts messages,
    Map<String, Long> faults,
    long trace,
    CmRecord record) {

  /**
   * How many messages were sent.
   *
   * @param posted while the connection was established
   * @param received by the peer
   */
  public record CmMessageCounts(long posted, long received) {}

  /**
   * What happened, written down.
   *
   * @param appliedFaults what went wrong, without chance: each fault is a rule about one packet
   * @param lines calls and events with their times
   */
  public record CmRecord(FaultPlan appliedFaults, List<String> lines) {}
}
