// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.shard.TraceHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds up what became of the datagrams of a run. */
public final class FuzzTotals {
  private final List<Finding> findings = new ArrayList<>();
  private final TraceHash trace = new TraceHash();
  private Coverage coverage = new Coverage();
  private long episodes;
  private long datagrams;
  private long near;
  private long frames;

  /** Creates totals of nothing. */
  public FuzzTotals() {}

  void add(FuzzRun fuzzRun) {
    episodes++;
    datagrams += fuzzRun.fired();
    near += fuzzRun.near();
    frames += fuzzRun.frames();
    coverage = coverage.plus(fuzzRun.coverage());
    trace.add(fuzzRun.trace());
  }

  void add(Finding finding) {
    findings.add(finding);
  }

  /** {@return what must not have happened and did} */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** {@return datagrams so far} */
  public long datagrams() {
    return datagrams;
  }

  /** {@return episodes so far, each of which has the next seed} */
  long episodes() {
    return episodes;
  }

  /** {@return what the devices covered} */
  public Coverage coverage() {
    return coverage;
  }

  /** {@return the same in words} */
  public FuzzReport report() {
    return new FuzzReport(counts(), trace.value());
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put(FuzzReport.DATAGRAMS, datagrams);
    counts.put(FuzzReport.NEAR, near);
    counts.put(FuzzReport.FRAMES, frames);
    counts.put(FuzzReport.VIOLATIONS, (long) findings.size());
    counts.putAll(FuzzReport.counts(coverage));
    return counts;
  }

  /**
   * The sums, to be added to those of other parts of the run.
   *
   * @param first the seed of the first episode
   * @return the sums so far
   */
  RunTotals totals(long first) {
    List<String> failures = findings.stream().flatMap(found -> found.lines().stream()).toList();
    return new RunTotals("fuzz", first, first + episodes - 1, counts(), failures, trace.value());
  }
}
