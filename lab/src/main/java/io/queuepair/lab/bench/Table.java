// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints a Markdown table whose columns are aligned for a terminal. */
final class Table {
  private final PrintWriter out;

  /** Width of each column in characters; negative for alignment to the left. */
  private final List<Integer> widths;

  Table(PrintWriter out, Integer... widths) {
    this.out = out;
    this.widths = List.of(widths);
  }

  void head(String... names) {
    line(names);
    out.println("|" + "---|".repeat(names.length));
  }

  /** Prints a row and flushes it. */
  void line(String... cells) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < cells.length; i++) {
      line.append(String.format(" %" + widths.get(i) + "s |", cells[i]));
    }
    out.println(line);
    out.flush();
  }

  /** Formats a ratio for a cell. */
  static String ratio(double value) {
    return String.format(Locale.ROOT, "x %.2f", value);
  }
}
