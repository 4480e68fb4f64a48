// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import java.util.Map;

/**
 * What became of one seed.
 *
 * @param seed which
 * @param failure what went wrong and when; null if nothing did
 * @param packets sent
 * @param completions polled
 * @param sends how many sends came to what end
 * @param faults how often each statement of the fault plan was carried out
 * @param trace hash of all packets and completions, in order
 */
public record SimulationOutcome(
    long seed,
    SimulationFailure failure,
    long packets,
    long completions,
    SendOutcomes sends,
    Map<String, Long> faults,
    long trace) {
  /**
   * How many sends came to what end.
   *
   * @param posted in all
   * @param succeeded those that did
   * @param excused those that failed after something was done to make them fail
   */
  public record SendOutcomes(long posted, long succeeded, long excused) {}
}
