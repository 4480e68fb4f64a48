// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.lab.simulation.SimulationSummary;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What many seeds came to, in words. */
public final class CmSimulationSummary {
  static final String SEEDS = "seeds";
  static final String FAILURES = "failures";
  static final String PACKETS = "packets";
  static final String POSTED = "posted";
  static final String RECEIVED = "received";

  private final Map<String, Long> counts;
  private final long trace;

  /**
   * Creates a summary.
   *
   * @param counts sums by name, as {@link CmSimulationTotals} counts them
   * @param trace hash of all seeds
   */
  public CmSimulationSummary(Map<String, Long> counts, long trace) {
    this.counts = counts;
    this.trace = trace;
  }

  /** Under which name connections with such an end are counted. */
  static String name(CmResult end) {
    return "connections " + end;
  }

  private long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** {@return how many seeds failed} */
  public long failures() {
    return count(FAILURES);
  }

  /** {@return how many packets were sent} */
  public long packets() {
    return count(PACKETS);
  }

  /** {@return how many messages arrived} */
  public long received() {
    return count(RECEIVED);
  }

  /**
   * How many connections came to an end.
   *
   * @param end which
   * @return their number
   */
  public long count(CmResult end) {
    return count(name(end));
  }

  /** {@return what became of the connections, as a sentence for people} */
  public String connections() {
    StringJoiner text = new StringJoiner(", ", "connections: ", "").setEmptyValue("none");
    for (CmResult end : CmResult.values()) {
      if (count(end) > 0) {
        text.add(count(end) + " " + end);
      }
    }
    return text + "; " + received() + " of " + count(POSTED) + " messages arrived";
  }

  /** {@return how often each fault of the plan was taken, as a sentence for people} */
  public String faults() {
    return new SimulationSummary(counts, trace).faults();
  }

  /** {@return the numbers, and the hash of everything sent and reported, for programs} */
  public String line() {
    return String.format(
        Locale.ROOT,
        "seeds=%d failures=%d packets=%d messages=%d trace=%016x",
        count(SEEDS),
        failures(),
        packets(),
        received(),
        trace);
  }
}
