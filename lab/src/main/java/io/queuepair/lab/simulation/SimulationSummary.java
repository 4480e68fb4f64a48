// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What many seeds came to, in words. */
public final class SimulationSummary {
  static final String SEEDS = "seeds";
  static final String FAILURES = "failures";
  static final String PACKETS = "packets";
  static final String COMPLETIONS = "completions";
  static final String POSTED = "posted";
  static final String SUCCEEDED = "succeeded";
  static final String EXCUSED = "excused";

  /** The statement of a fault plan follows. */
  public static final String FAULT = "fault: ";

  private final Map<String, Long> counts;
  private final long trace;

  /**
   * Creates a summary.
   *
   * @param counts sums by name, as {@link SimulationTotals} counts them
   * @param trace hash of all seeds
   */
  public SimulationSummary(Map<String, Long> counts, long trace) {
    this.counts = counts;
    this.trace = trace;
  }

  private long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** {@return how many packets were sent} */
  public long packets() {
    return count(PACKETS);
  }

  /** {@return how many seeds failed} */
  public long failures() {
    return count(FAILURES);
  }

  /** {@return the share of sends that succeeded, of those that nothing was done to make fail} */
  public double succeededShare() {
    long fair = count(POSTED) - count(EXCUSED);
    return fair == 0 ? 1 : (double) count(SUCCEEDED) / fair;
  }

  /** {@return how many sends succeeded, as a sentence for people} */
  public String sends() {
    return String.format(
        Locale.ROOT,
        "%d sends: %d succeeded, %d made to fail on purpose; of the others %.3f %% succeeded",
        count(POSTED),
        count(SUCCEEDED),
        count(EXCUSED),
        100 * succeededShare());
  }

  /** {@return how often each fault of the plan was taken, as a sentence for people} */
  public String faults() {
    StringJoiner text = new StringJoiner(", ", "faults: ", "").setEmptyValue("faults: none");
    counts.forEach(
        (name, times) -> {
          if (name.startsWith(FAULT)) {
            text.add(times + " times " + name.substring(FAULT.length()));
          }
        });
    return text.toString();
  }

  /** {@return the numbers, and the hash of everything sent and completed, for programs} */
  public String line() {
    return String.format(
        Locale.ROOT,
        "seeds=%d failures=%d packets=%d completions=%d trace=%016x",
        count(SEEDS),
        failures(),
        packets(),
        count(COMPLETIONS),
        trace);
  }
}
