// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sums over seeds that are run one after the other. */
public final class SeedTotals {
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private final TraceHash trace = new TraceHash();

  /** Creates totals of nothing. */
  public SeedTotals() {}

  /**
   * Adds to a count.
   *
   * @param name of it
   * @param times how often that was
   */
  public void count(String name, long times) {
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

  /**
   * Adds the hash of a seed, once for each.
   *
   * @param hash of all that happened
   */
  public void addTrace(long hash) {
    trace.add(hash);
  }

  /** {@return the sums by name, in the order in which they were first added to} */
  public Map<String, Long> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** {@return the hash of all seeds} */
  public long trace() {
    return trace.value();
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
