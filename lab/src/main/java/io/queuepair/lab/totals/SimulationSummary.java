// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.totals;

import io.queuepair.lab.cmsimulation.CmResult;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.simulation.SimulationOutcome;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Summarizes the results of the seeds of a simulation. */
public final class SimulationSummary {
  private final RunTotals totals;

  public SimulationSummary(RunTotals totals) {
    this.totals = totals;
  }

  private boolean isOfConnections() {
    return totals.command().startsWith("simulate --cm ");
  }

  /** Value of a counter, summed over all seeds. */
  public long count(String name) {
    return totals.counts().getOrDefault(name, 0L);
  }

  public long failures() {
    return count(SimulationOutcome.FAILURES);
  }

  public String progress() {
    return count(SimulationOutcome.PACKETS) + " packets, " + failures() + " failures";
  }

  /** {@return sentences on the outcome of the work and on the number of faults applied} */
  public List<String> sentences() {
    return List.of(isOfConnections() ? connections() : sends(), faults());
  }

  /** {@return the share of sends that succeeded, without those that an action made fail} */
  public double succeededShare() {
    long fair = count(SimulationOutcome.POSTED) - count(SimulationOutcome.EXCUSED);
    return fair == 0 ? 1 : (double) count(SimulationOutcome.SUCCEEDED) / fair;
  }

  private String sends() {
    return String.format(
        Locale.ROOT,
        "%d sends: %d succeeded, %d made to fail on purpose; of the others %.3f %% succeeded",
        count(SimulationOutcome.POSTED),
        count(SimulationOutcome.SUCCEEDED),
        count(SimulationOutcome.EXCUSED),
        100 * succeededShare());
  }

  private String connections() {
    StringJoiner text = new StringJoiner(", ", "connections: ", "").setEmptyValue("none");
    for (CmResult result : CmResult.values()) {
      if (count(result.countName()) > 0) {
        text.add(count(result.countName()) + " " + result);
      }
    }
    return String.format(
        "%s; %d of %d messages arrived",
        text, count(SimulationOutcome.RECEIVED), count(SimulationOutcome.POSTED));
  }

  private String faults() {
    StringJoiner text = new StringJoiner(", ", "faults: ", "").setEmptyValue("faults: none");
    totals
        .counts()
        .forEach(
            (name, times) -> {
              if (name.startsWith(SimulationOutcome.FAULT)) {
                text.add(times + " times " + name.substring(SimulationOutcome.FAULT.length()));
              }
            });
    return text.toString();
  }

  /** {@return the counters and the hash of all packets and completions, for programs} */
  public String line() {
    boolean isCm = isOfConnections();
    return String.format(
        Locale.ROOT,
        "seeds=%d failures=%d packets=%d %s=%d trace=%016x",
        count(SimulationOutcome.SEEDS),
        failures(),
        count(SimulationOutcome.PACKETS),
        isCm ? "messages" : "completions",
        count(isCm ? SimulationOutcome.RECEIVED : SimulationOutcome.COMPLETIONS),
        totals.trace());
  }
}
