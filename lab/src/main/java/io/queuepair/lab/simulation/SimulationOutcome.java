// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.shard.TraceHash;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Outcome of one seed.
 *
 * @param failure what went wrong and when; null if nothing did
 * @param trace hash of all packets, completions and events, in order
 */
public record SimulationOutcome(
    long seed,
    SimulationFailure failure,
    Map<String, Long> counts,
    Map<String, Long> faults,
    long trace) {
  /** Counts the seeds of a run. */
  public static final String SEEDS = "seeds";

  /** Counts the seeds that failed. */
  public static final String FAILURES = "failures";

  /** Counts the packets sent. */
  public static final String PACKETS = "packets";

  /** Counts the completions polled. */
  public static final String COMPLETIONS = "completions";

  /** Counts the sends, or the messages, that were posted. */
  public static final String POSTED = "posted";

  /** Counts the sends that succeeded. */
  public static final String SUCCEEDED = "succeeded";

  /** Counts the sends that failed after something was done to make them fail. */
  public static final String EXCUSED = "excused";

  /** Counts the messages that arrived. */
  public static final String RECEIVED = "received";

  /** Precedes the statement of a fault plan, which is counted. */
  public static final String FAULT = "fault: ";

  /** The totals of this seed alone. */
  public RunTotals totals(String command) {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put(SEEDS, 1L);
    all.put(FAILURES, failure == null ? 0L : 1L);
    all.putAll(counts);
    faults.forEach((fault, times) -> all.put(FAULT + fault, times));
    TraceHash hash = new TraceHash();
    hash.add(trace);
    List<String> failures = failure == null ? List.of() : List.of(failureText());
    return new RunTotals(command, seed, seed, all, failures, hash.value());
  }

  /** {@return which seed failed and how, for people; "null" in place of how if it did not} */
  public String failureText() {
    return "seed " + seed + ", " + failure;
  }
}
