// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.shard.SeedTotals;

/** Adds up what the seeds of a run come to, one after the other. */
public final class SimulationTotals {
  private final SeedTotals sums = new SeedTotals();

  /** Creates totals of nothing. */
  public SimulationTotals() {}

  /**
   * Adds what one seed came to.
   *
   * @param outcome of the next seed
   */
  public void add(SimulationOutcome outcome) {
    sums.count(SimulationSummary.SEEDS, 1);
    sums.count(SimulationSummary.FAILURES, outcome.failure() == null ? 0 : 1);
    sums.count(SimulationSummary.PACKETS, outcome.packets());
    sums.count(SimulationSummary.COMPLETIONS, outcome.completions());
    sums.count(SimulationSummary.POSTED, outcome.sends().posted());
    sums.count(SimulationSummary.SUCCEEDED, outcome.sends().succeeded());
    sums.count(SimulationSummary.EXCUSED, outcome.sends().excused());
    outcome.faults().forEach((fault, times) -> sums.count(SimulationSummary.FAULT + fault, times));
    sums.addTrace(outcome.trace());
  }

  /**
   * Adds the description of a failure.
   *
   * @param line for people
   */
  public void addFailure(String line) {
    sums.addFailure(line);
  }

  /** {@return the sums so far, for people} */
  public SimulationSummary summary() {
    return new SimulationSummary(sums.counts(), sums.trace());
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
    return sums.totals(command, first, last);
  }
}
