// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests a known word for a misspelt one. */
public final class Suggestion {
  private Suggestion() {}

  /** Returns {@code (did you mean 'x'?)} for an error message; empty if nothing is similar. */
  public static String of(String word, Collection<String> known) {
    String lower = word.toLowerCase(Locale.ROOT);
    // Limit of typos: one in every three letters, at least 1 and at most 3.
    int most = Math.max(1, Math.min(word.length() / 3, 3));
    Optional<String> nearest =
        known.stream()
            .filter(each -> distance(lower, each.toLowerCase(Locale.ROOT)) <= most)
            .min(Comparator.comparingInt(each -> distance(lower, each.toLowerCase(Locale.ROOT))));
    return nearest.map(each -> " (did you mean '" + each + "'?)").orElse("");
  }

  /** Number of letters to insert, delete, replace or swap with their neighbours. */
  private static int distance(String a, String b) {
    int[][] steps = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        steps[i][j] = i == 0 || j == 0 ? i + j : step(a, b, i, j, steps);
      }
    }
    return steps[a.length()][b.length()];
  }

  private static int step(String a, String b, int i, int j, int[][] steps) {
    boolean isSame = a.charAt(i - 1) == b.charAt(j - 1);
    int least = Math.min(steps[i - 1][j], steps[i][j - 1]) + 1;
    least = Math.min(least, steps[i - 1][j - 1] + (isSame ? 0 : 1));
    boolean isSwap =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return isSwap ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
  }
}
