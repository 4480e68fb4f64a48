// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A table in Markdown, for people to read at once. */
final class Table {
  private final PrintWriter out;

  /** Width of each column in characters; to the left if negative. */
  private final List<Integer> widths;

  Table(PrintWriter out, Integer... widths) {
    this.out = out;
    this.widths = List.of(widths);
  }

  void head(String... names) {
    line(names);
    out.println("|" + "---|".repeat(names.length));
  }

  /** Prints a line, so that it is seen at once. */
  void line(String... cells) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < cells.length; i++) {
      line.append(String.format(" %" + widths.get(i) + "s |", cells[i]));
    }
    out.println(line);
    out.flush();
  }

  /** A quotient, for a cell. */
  static String ratio(double value) {
    return String.format(Locale.ROOT, "x %.2f", value);
  }
}
