// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.totals;

import io.queuepair.lab.cmsimulation.CmResult;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.simulation.SimulationOutcome;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Describes the results of a simulation's seeds. */
public final class SimulationSummary {
  private final RunTotals totals;

  public SimulationSummary(RunTotals totals) {
    this.totals = totals;
  }

  private boolean isOfConnections() {
    return totals.command().startsWith("simulate --cm ");
  }

  /** How often something happened in all seeds. */
  public long count(String name) {
    return totals.counts().getOrDefault(name, 0L);
  }

  /** {@return how many seeds failed} */
  public long failures() {
    return count(SimulationOutcome.FAILURES);
  }

  /** {@return how far a run has come, for people} */
  public String progress() {
    return count(SimulationOutcome.PACKETS) + " packets, " + failures() + " failures";
  }

  /** {@return what became of the work and how often each fault was taken, for people} */
  public List<String> sentences() {
    return List.of(isOfConnections() ? connections() : sends(), faults());
  }

  /** {@return the share of sends that succeeded, of those that nothing was done to make fail} */
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

  /** {@return the numbers, and the hash of everything sent and completed, for programs} */
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
