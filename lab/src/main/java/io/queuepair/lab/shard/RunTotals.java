// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Result of a run over seeds, or of a part of a run.
 *
 * @param command the command without its seeds; equal for all parts of a run
 * @param trace hash of the run, made from one 64-bit hash for each seed
 */
public record RunTotals(
    String command,
    long first,
    long last,
    Map<String, Long> counts,
    List<String> failures,
    long trace) {
  public RunTotals {
    counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    failures = List.copyOf(failures);
  }

  /** Parses the result of {@link #json}; the message of the exception gives the reason. */
  public static RunTotals parse(String json) throws IOException {
    return TotalsJson.parse(json);
  }

  public String json() {
    return TotalsJson.text(this);
  }

  public long seeds() {
    return last - first + 1;
  }

  /**
   * Adds up the parts of a run, in any order; the result equals that of an undivided run. Refuses
   * parts of different runs, and ranges of seeds that overlap or have gaps.
   */
  public static RunTotals sum(List<RunTotals> parts) {
    List<RunTotals> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparingLong(RunTotals::first));
    RunTotals totals = sorted.get(0);
    for (RunTotals next : sorted.subList(1, sorted.size())) {
      totals = totals.plus(next);
    }
    return totals;
  }

  /** Totals of a run before its first seed. */
  public static RunTotals none(String command, long first) {
    return new RunTotals(command, first, first - 1, Map.of(), List.of(), new TraceHash().value());
  }

  /** Adds the part of the run that starts at the seed after this part. */
  public RunTotals plus(RunTotals next) {
    if (!command.equals(next.command)) {
      throw new IllegalArgumentException(
          "these are parts of different runs: '" + command + "' and '" + next.command + "'");
    }
    if (next.first <= last) {
      throw new IllegalArgumentException("seed " + next.first + " is in two parts");
    }
    if (next.first > last + 1) {
      throw new IllegalArgumentException(
          "no part has the seeds " + (last + 1) + ".." + (next.first - 1));
    }
    Map<String, Long> sums = new LinkedHashMap<>(counts);
    next.counts.forEach((name, count) -> sums.merge(name, count, Math::addExact));
    List<String> all = new ArrayList<>(failures);
    all.addAll(next.failures);
    long hash = TraceHash.joined(trace, next.trace, next.seeds());
    return new RunTotals(command, first, next.last, sums, all, hash);
  }
}
