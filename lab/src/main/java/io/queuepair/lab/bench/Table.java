// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Lines of cells, for people to read at once or for a page in Markdown. */
final class Table {
  private final PrintWriter out;
  private final boolean isMarkdown;

  /** Width of each column in characters; to the left if negative. */
  private final List<Integer> widths;

  Table(PrintWriter out, boolean isMarkdown, Integer... widths) {
    this.out = out;
    this.isMarkdown = isMarkdown;
    this.widths = List.of(widths);
  }

  void head(String... names) {
    line(names);
    if (isMarkdown) {
      out.println("|" + String.join("|", Collections.nCopies(names.length, "---")) + "|");
    }
  }

  /** Prints a line, so that it is seen at once. */
  void line(String... cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      line.append(isMarkdown ? "| " + cells[i] + " " : padded(cells[i], widths.get(i)));
    }
    out.println(isMarkdown ? line + "|" : line.toString().stripTrailing());
    out.flush();
  }

  /** A quotient, for a cell. */
  static String ratio(double value) {
    return String.format(Locale.ROOT, "x %.2f", value);
  }

  private static String padded(String cell, int width) {
    return String.format("%" + width + "s  ", cell);
  }
}
