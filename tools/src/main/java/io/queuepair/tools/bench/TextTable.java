package io.queuepair.tools.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** The table for people, a line as soon as a row has been measured. */
final class TextTable {
  private static final String FORMAT = "%-24s %12s %12s %7s  %-12s %s%n";

  private final PrintWriter out;

  TextTable(PrintWriter out) {
    this.out = out;
  }

  void begin() {
    out.printf(FORMAT, "row", "measured", "beside it", "ratio", "goal", "");
  }

  void add(RowResult result) {
    Row row = result.row();
    boolean isCompared = result.hasReference();
    out.printf(
        FORMAT,
        row.name(),
        row.unit().text(result.median()),
        isCompared ? row.unit().text(result.referenceMedian()) : "",
        isCompared ? String.format(Locale.ROOT, "x %.2f", result.ratio()) : "",
        row.goal().text(row.unit()),
        result.isReached() ? "reached" : "missed");
    out.flush();
  }
}
