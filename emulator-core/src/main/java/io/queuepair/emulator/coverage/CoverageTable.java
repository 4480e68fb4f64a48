// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.coverage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Coverage as text: a table of shares, items met, with counts, and items missing. */
public final class CoverageTable {
  private static final int WIDTH = 100;
  private static final String INDENT = "    ";

  private CoverageTable() {}

  /**
   * The lines of the table.
   *
   * @param coverage of at least one device
   * @return lines without line terminators
   * @throws IllegalStateException if no device was looked at
   */
  public static List<String> linesOf(Coverage coverage) {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%-22s %6s %9s %9s", "coverage", "met", "possible", "%"));
    int met = 0;
    int possible = 0;
    for (CoverageGroup group : CoverageGroup.values()) {
      int ofGroup = coverage.possible(group).size();
      int missing = coverage.missing(group).size();
      lines.add(share(group.text(), ofGroup - missing, ofGroup, coverage.percent(group)));
      met += ofGroup - missing;
      possible += ofGroup;
    }
    lines.add(share("all", met, possible, coverage.percent()));
    for (CoverageGroup group : CoverageGroup.values()) {
      addDetails(coverage, group, lines);
    }
    coverage
        .unexpectedHits()
        .forEach((group, names) -> lines.add("met though impossible: " + group + " " + names));
    return lines;
  }

  private static String share(String name, int met, int possible, double percent) {
    return String.format(Locale.ROOT, "%-22s %6d %9d %9.1f", name, met, possible, percent);
  }

  private static void addDetails(Coverage coverage, CoverageGroup group, List<String> lines) {
    Map<String, Long> hits = coverage.hits(group);
    List<String> met = new ArrayList<>();
    hits.forEach(
        (name, times) -> {
          if (times > 0) {
            met.add(name + " " + times);
          }
        });
    addList(group.text() + " met, with their number:", met, lines);
    addMissing(coverage, group, lines);
  }

  /** Adds missing items; states and transitions by type of queue pair, with the number of each. */
  private static void addMissing(Coverage coverage, CoverageGroup group, List<String> lines) {
    List<String> missing = coverage.missing(group);
    if (group != CoverageGroup.STATE && group != CoverageGroup.TRANSITION) {
      addList(group.text() + " missing: " + missing.size(), missing, lines);
      return;
    }
    Map<String, List<String>> byType = new LinkedHashMap<>();
    for (String name : missing) {
      int end = name.indexOf(' ');
      byType
          .computeIfAbsent(name.substring(0, end), type -> new ArrayList<>())
          .add(name.substring(end + 1));
    }
    byType.forEach(
        (type, names) ->
            addList(type + ": " + group.text() + " missing: " + names.size(), names, lines));
  }

  private static void addList(String heading, List<String> words, List<String> lines) {
    if (words.isEmpty()) {
      return;
    }
    lines.add(heading);
    String line = INDENT;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i) + (i < words.size() - 1 ? ", " : "");
      if (line.length() + word.length() > WIDTH) {
        lines.add(line.stripTrailing());
        line = INDENT;
      }
      line += word;
    }
    lines.add(line);
  }
}
