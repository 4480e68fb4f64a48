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
 * @param failure the failure; null if there was none
 * @param trace hash of all packets, completions and events, in order
 */
public record SimulationOutcome(
    long seed,
    SimulationFailure failure,
    Map<String, Long> counts,
    Map<String, Long> faults,
    long trace) {
  public static final String SEEDS = "seeds";

  public static final String FAILURES = "failures";

  public static final String PACKETS = "packets";

  public static final String COMPLETIONS = "completions";

  public static final String POSTED = "posted";

  public static final String SUCCEEDED = "succeeded";

  /** Name of the counter of sends that failed after an action that may make them fail. */
  public static final String EXCUSED = "excused";

  public static final String RECEIVED = "received";

  /** Prefix of the name of a counter that has the statement of a fault plan after it. */
  public static final String FAULT = "fault: ";

  /** Totals of this seed alone. */
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

  /** {@return the seed and its failure, for people; "null" for no failure} */
  public String failureText() {
    return "seed " + seed + ", " + failure;
  }
}
