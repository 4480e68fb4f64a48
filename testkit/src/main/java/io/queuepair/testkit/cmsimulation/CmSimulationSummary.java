// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.cmsimulation;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What many seeds came to. */
public final class CmSimulationSummary {
  private final Map<CmResult, Long> ends = new EnumMap<>(CmResult.class);
  private final Map<String, Long> faults = new LinkedHashMap<>();
  private long seeds;
  private long failures;
  private long packets;
  private long posted;
  private long received;
  private long trace;

  /** Creates totals of nothing. */
  public CmSimulationSummary() {}

  /**
   * Adds what one seed came to.
   *
   * @param outcome of the next seed
   */
  public void add(CmOutcome outcome) {
    seeds++;
    failures += outcome.failure() == null ? 0 : 1;
    packets += outcome.packets();
    posted += outcome.messages().posted();
    received += outcome.messages().received();
    outcome.ends().forEach((end, times) -> ends.merge(end, times, Long::sum));
    outcome.faults().forEach((fault, times) -> faults.merge(fault, times, Long::sum));
    trace = Long.rotateLeft(trace, 1) ^ outcome.trace();
  }

  /** {@return how many seeds failed} */
  public long failures() {
    return failures;
  }

  /** {@return how many packets were sent} */
  public long packets() {
    return packets;
  }

  /** {@return how many messages arrived} */
  public long received() {
    return received;
  }

  /**
   * How many connections came to an end.
   *
   * @param end which
   * @return their number
   */
  public long count(CmResult end) {
    return ends.getOrDefault(end, 0L);
  }

  /** {@return what became of the connections, as a sentence for people} */
  public String connections() {
    StringJoiner text = new StringJoiner(", ", "connections: ", "").setEmptyValue("none");
    ends.forEach((end, times) -> text.add(times + " " + end));
    return text + "; " + received + " of " + posted + " messages arrived";
  }

  /** {@return how often each fault of the plan was taken, as a sentence for people} */
  public String faults() {
    StringJoiner text = new StringJoiner(", ", "faults: ", "").setEmptyValue("faults: none");
    faults.forEach((fault, times) -> text.add(times + " times " + fault));
    return text.toString();
  }

  /** {@return the numbers, and the hash of everything sent and reported, for programs} */
  public String line() {
    return String.format(
        Locale.ROOT,
        "seeds=%d failures=%d packets=%d messages=%d trace=%016x",
        seeds,
        failures,
        packets,
        received,
        trace);
  }
}
