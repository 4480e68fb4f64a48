// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.List;

/** Diff of two lists of lines: {@code -} marks expected lines, {@code +} actual ones. */
final class LineDiff {
  private static final int CONTEXT = 2;

  /** Limit of compared pairs of lines; above it, the whole differing range is shown as changed. */
  private static final long MOST_PAIRS = 4_000_000;

  private LineDiff() {}

  /** Lines that differ, with two lines of context; empty if the lists are equal. */
  static List<String> of(List<String> expected, List<String> actual) {
    int most = Math.min(expected.size(), actual.size());
    int before = 0;
    while (before < most && expected.get(before).equals(actual.get(before))) {
      before++;
    }
    int behind = 0;
    while (behind < most - before && last(expected, behind).equals(last(actual, behind))) {
      behind++;
    }
    List<String> all = new ArrayList<>();
    expected.subList(0, before).forEach(line -> all.add("  " + line));
    List<String> lines = expected.subList(before, expected.size() - behind);
    List<String> others = actual.subList(before, actual.size() - behind);
    all.addAll(align(lines, others, common(lines, others)));
    expected.subList(expected.size() - behind, expected.size()).forEach(l -> all.add("  " + l));
    return shown(all);
  }

  private static String last(List<String> lines, int behind) {
    return lines.get(lines.size() - 1 - behind);
  }

  private static List<String> shown(List<String> all) {
    List<String> shown = new ArrayList<>();
    int skipped = 0;
    for (int i = 0; i < all.size(); i++) {
      if (isNearDifference(all, i)) {
        if (skipped > 0) {
          shown.add("  ...");
        }
        skipped = 0;
        shown.add(all.get(i));
      } else {
        skipped++;
      }
    }
    return shown;
  }

  private static boolean isNearDifference(List<String> lines, int index) {
    int to = Math.min(lines.size() - 1, index + CONTEXT);
    for (int i = Math.max(0, index - CONTEXT); i <= to; i++) {
      if (!lines.get(i).startsWith(" ")) {
        return true;
      }
    }
    return false;
  }

  /** Table of lengths of longest common subsequences, for the rest from each pair of positions. */
  private static int[][] common(List<String> expected, List<String> actual) {
    if ((long) expected.size() * actual.size() > MOST_PAIRS) {
      return new int[0][0];
    }
    int[][] longest = new int[expected.size() + 1][actual.size() + 1];
    for (int i = expected.size() - 1; i >= 0; i--) {
      for (int j = actual.size() - 1; j >= 0; j--) {
        longest[i][j] =
            expected.get(i).equals(actual.get(j))
                ? longest[i + 1][j + 1] + 1
                : Math.max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    return longest;
  }

  private static List<String> align(List<String> expected, List<String> actual, int[][] longest) {
    List<String> lines = new ArrayList<>();
    if (longest.length == 0) {
      expected.forEach(line -> lines.add("- " + line));
      actual.forEach(line -> lines.add("+ " + line));
      return lines;
    }
    int i = 0;
    int j = 0;
    while (i < expected.size() || j < actual.size()) {
      boolean areEqual =
          i < expected.size() && j < actual.size() && expected.get(i).equals(actual.get(j));
      if (areEqual) {
        lines.add("  " + expected.get(i));
        i++;
        j++;
      } else if (j == actual.size()
          || (i < expected.size() && longest[i + 1][j] >= longest[i][j + 1])) {
        lines.add("- " + expected.get(i));
        i++;
      } else {
        lines.add("+ " + actual.get(j));
        j++;
      }
    }
    return lines;
  }
}
