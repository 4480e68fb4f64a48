// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.shard.SeedTotals;
import io.queuepair.lab.simulation.SimulationSummary;

/** Adds up what the seeds of a run come to, one after the other. */
public final class CmSimulationTotals {
  private final SeedTotals sums = new SeedTotals();

  /** Creates totals of nothing. */
  public CmSimulationTotals() {}

  /**
   * Adds what one seed came to.
   *
   * @param outcome of the next seed
   */
  public void add(CmOutcome outcome) {
    sums.count(CmSimulationSummary.SEEDS, 1);
    sums.count(CmSimulationSummary.FAILURES, outcome.failure() == null ? 0 : 1);
    sums.count(CmSimulationSummary.PACKETS, outcome.packets());
    sums.count(CmSimulationSummary.POSTED, outcome.messages().posted());
    sums.count(CmSimulationSummary.RECEIVED, outcome.messages().received());
    outcome.ends().forEach((end, times) -> sums.count(CmSimulationSummary.name(end), times));
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
  public CmSimulationSummary summary() {
    return new CmSimulationSummary(sums.counts(), sums.trace());
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
