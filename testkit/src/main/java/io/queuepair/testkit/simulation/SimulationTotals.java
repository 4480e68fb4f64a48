// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.simulation;

import io.queuepair.testkit.shard.RunTotals;
import io.queuepair.testkit.shard.TraceHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds up what the seeds of a run come to, one after the other. */
public final class SimulationTotals {
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private final TraceHash trace = new TraceHash();

  /** Creates totals of nothing. */
  public SimulationTotals() {}

  /**
   * Adds what one seed came to.
   *
   * @param outcome of the next seed
   */
  public void add(SimulationOutcome outcome) {
    count(SimulationSummary.SEEDS, 1);
    count(SimulationSummary.FAILURES, outcome.failure() == null ? 0 : 1);
    count(SimulationSummary.PACKETS, outcome.packets());
    count(SimulationSummary.COMPLETIONS, outcome.completions());
    count(SimulationSummary.POSTED, outcome.sends().posted());
    count(SimulationSummary.SUCCEEDED, outcome.sends().succeeded());
    count(SimulationSummary.EXCUSED, outcome.sends().excused());
    outcome.faults().forEach((fault, times) -> count(SimulationSummary.FAULT + fault, times));
    trace.add(outcome.trace());
  }

  private void count(String name, long times) {
    counts.merge(name, times, Long::sum);
  }

  /**
   * Adds the description of a failure.
   *
   * @param line for people
   */
  public void addFailure(String line) {
    failures.add(line);
  }

  /** {@return the sums so far, for people} */
  public SimulationSummary summary() {
    return new SimulationSummary(counts, trace.value());
  }

  /**
   * The sums, to be added to those of other parts of the run.
   *
   * @param command what was run, without its seeds
   * @param first the first seed
   * @param last the last seed
   * @return the sums so far
   */
  public RunTotals totals(String command, long first, long last) {
    return new RunTotals(command, first, last, counts, failures, trace.value());
  }
}
