package io.queuepair.tools.workload;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What many seeds came to. */
public final class Totals {
  private final Trace trace = new Trace();
  private final Map<String, Long> faults = new LinkedHashMap<>();
  private long seeds;
  private long failures;
  private long packets;
  private long completions;
  private long posted;
  private long succeeded;
  private long excused;

  /** Creates totals of nothing. */
  public Totals() {}

  /**
   * Adds what one seed came to.
   *
   * @param outcome of the next seed
   */
  public void add(Outcome outcome) {
    seeds++;
    failures += outcome.failure() == null ? 0 : 1;
    packets += outcome.packets();
    completions += outcome.completions();
    posted += outcome.sends().posted();
    succeeded += outcome.sends().succeeded();
    excused += outcome.sends().excused();
    outcome.faults().forEach((fault, times) -> faults.merge(fault, times, Long::sum));
    trace.add(outcome.trace());
  }

  /** {@return how many packets were sent} */
  public long packets() {
    return packets;
  }

  /** {@return how many seeds failed} */
  public long failures() {
    return failures;
  }

  /** {@return the share of sends that succeeded, of those that nothing was done to make fail} */
  public double succeededShare() {
    long fair = posted - excused;
    return fair == 0 ? 1 : (double) succeeded / fair;
  }

  /** {@return how many sends succeeded, as a sentence for people} */
  public String sends() {
    return String.format(
        Locale.ROOT,
        "%d sends: %d succeeded, %d made to fail on purpose; of the others %.3f %% succeeded",
        posted,
        succeeded,
        excused,
        100 * succeededShare());
  }

  /** {@return how often each fault of the plan was taken, as a sentence for people} */
  public String faults() {
    StringJoiner text = new StringJoiner(", ", "faults: ", "").setEmptyValue("faults: none");
    faults.forEach((fault, times) -> text.add(times + " times " + fault));
    return text.toString();
  }

  /** {@return the numbers, and the hash of everything sent and completed, for programs} */
  public String line() {
    return String.format(
        Locale.ROOT,
        "seeds=%d failures=%d packets=%d completions=%d trace=%016x",
        seeds,
        failures,
        packets,
        completions,
        trace.value());
  }
}
