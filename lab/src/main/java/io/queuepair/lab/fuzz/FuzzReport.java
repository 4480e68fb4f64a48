// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What became of all datagrams of a run, in words. */
public final class FuzzReport {
  static final String DATAGRAMS = "datagrams";
  static final String NEAR = "near";
  static final String FRAMES = "frames";
  static final String VIOLATIONS = "violations";

  /** What is printed, and must be met by a run of some length. */
  private static final List<CoverageGroup> SHOWN =
      List.of(
          CoverageGroup.DROP,
          CoverageGroup.CHECK,
          CoverageGroup.MEMORY_CHECK,
          CoverageGroup.NAK_SENT,
          CoverageGroup.NAK_RECEIVED);

  /** What leaves while its address is gone is dropped too, but was not fired. */
  private static final String SENT_DROP = name(CoverageGroup.DROP, "NOT_OUR_ADDRESS");

  /** What follows a gap is dropped besides. */
  private static final String GAP_NAK = name(CoverageGroup.NAK_SENT, "PSN_SEQUENCE_ERROR");

  private final Map<String, Long> counts;
  private final long trace;

  /**
   * Creates a report.
   *
   * @param counts sums by name: as {@link FuzzTotals} counts them
   * @param trace hash of all datagrams, fired and answered
   */
  public FuzzReport(Map<String, Long> counts, long trace) {
    this.counts = counts;
    this.trace = trace;
  }

  private static String name(CoverageGroup group, String member) {
    return group.text() + ": " + member;
  }

  /** The part of a coverage that is shown, as counts by name. */
  static Map<String, Long> counts(Coverage coverage) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (CoverageGroup group : coverage.isEmpty() ? List.<CoverageGroup>of() : SHOWN) {
      Map<String, Long> hits = coverage.hits(group);
      coverage.possible(group).forEach(name -> counts.put(name(group, name), hits.get(name)));
    }
    return counts;
  }

  private long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  private long sum(CoverageGroup group) {
    return counts.entrySet().stream()
        .filter(count -> count.getKey().startsWith(name(group, "")))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** {@return the share with a valid ICRC, a live queue pair and a PSN near the expected one} */
  public double nearShare() {
    return share(count(NEAR));
  }

  /** {@return the share that was neither dropped nor answered with a NAK} */
  public double acceptedShare() {
    return share(accepted());
  }

  private double share(long part) {
    return count(DATAGRAMS) == 0 ? 0 : (double) part / count(DATAGRAMS);
  }

  private long dropped() {
    return sum(CoverageGroup.DROP) - count(SENT_DROP);
  }

  private long refused() {
    return sum(CoverageGroup.NAK_SENT) - count(GAP_NAK);
  }

  /** Frames are counted as they come: what no flow leads anywhere is not counted as dropped. */
  private long accepted() {
    return count(DATAGRAMS) - count(FRAMES) - dropped() - refused();
  }

  /** {@return how many things happened that must not} */
  public long violations() {
    return count(VIOLATIONS);
  }

  /** {@return reasons, checks and codes that were never met, and could have been} */
  public List<String> missing() {
    return counts.entrySet().stream()
        .filter(count -> count.getKey().contains(": ") && count.getValue() == 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** {@return a line for people on each kind of thing that was counted, and on the whole} */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (CoverageGroup group : SHOWN) {
      StringJoiner line = new StringJoiner(", ", group.text() + ": ", "");
      String prefix = name(group, "");
      counts.forEach(
          (name, hits) -> {
            if (name.startsWith(prefix)) {
              line.add(name.substring(prefix.length()) + " " + hits);
            }
          });
      lines.add(line.toString());
    }
    if (!missing().isEmpty()) {
      lines.add("never met: " + String.join(", ", missing()));
    }
    lines.add(shares());
    return lines;
  }

  private String shares() {
    return String.format(
        Locale.ROOT,
        "%.1f %% with valid ICRC, live QPN and PSN near the window; %.1f %% accepted,"
            + " %.1f %% refused with a NAK; %d of the datagrams are Ethernet frames",
        100 * nearShare(),
        100 * acceptedShare(),
        100 * share(refused()),
        count(FRAMES));
  }

  /** {@return the numbers, and the hash of all datagrams, for programs} */
  public String line() {
    return String.format(
        Locale.ROOT,
        "datagrams=%d accepted=%d dropped=%d violations=%d trace=%016x",
        count(DATAGRAMS),
        accepted(),
        dropped(),
        violations(),
        trace);
  }
}
