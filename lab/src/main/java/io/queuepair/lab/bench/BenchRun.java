// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Measures rows and prints the results.
 *
 * @param isInProcess whether rows are measured in this JVM, not each in a new one
 */
record BenchRun(
    BenchmarkSettings settings,
    boolean isInProcess,
    PrintWriter out,
    ProgressBar progress,
    Interruption interruption) {
  private static final int TURNS = 3;

  private interface Measurement {
    BenchmarkResult of(BenchmarkCase row) throws IOException;
  }

  /** Measures rows; those that fail, or that the user interrupts, are not in the result. */
  List<BenchmarkResult> rows(List<BenchmarkCase> rows) {
    Table table = new Table(out, -30, 10, 10, 8, -12, -7);
    table.head("row", "measured", "beside it", "ratio", "goal", "");
    return each(
        rows,
        table,
        row ->
            isInProcess
                ? InProcessBenchmark.run(row, settings)
                : RowJvm.measure(null, row, settings),
        BenchmarkResult::cells);
  }

  /**
   * Compares rows in turns by this version and another one, each time in a new JVM. The speed of a
   * shared machine changes from minute to minute: only what all turns show is a difference.
   */
  List<BenchmarkResult> compare(List<BenchmarkCase> rows, Path before) {
    Table table = new Table(out, -30, 10, 10, 8, -20);
    table.head("row", "before", "now", "ratio", "of each turn");
    return each(rows, table, row -> inTurns(row, before), BenchmarkResult::cellsOfTurns);
  }

  /** Prints each result at once. */
  private List<BenchmarkResult> each(
      List<BenchmarkCase> rows,
      Table table,
      Measurement measurement,
      Function<BenchmarkResult, List<String>> cells) {
    List<BenchmarkResult> results = new ArrayList<>();
    for (int i = 0; i < rows.size() && !interruption.isRequested(); i++) {
      BenchmarkCase row = rows.get(i);
      List<String> line;
      progress.show(i, rows.size(), "rows", row.name());
      try {
        BenchmarkResult result = measurement.of(row);
        results.add(result);
        line = cells.apply(result);
      } catch (IOException failed) {
        if (interruption.isRequested()) {
          break; // Ctrl-C ends the JVM of the row, too.
        }
        line = List.of(row.name(), "", "", "", failed.getMessage());
      } finally {
        progress.clear();
      }
      table.line(line.toArray(String[]::new));
    }
    return results;
  }

  /**
   * Measures a row by this version, with the other version as its reference. The order of the two
   * alternates, so that a drift of the machine's speed favours neither.
   */
  private BenchmarkResult inTurns(BenchmarkCase row, Path before) throws IOException {
    List<Double> now = new ArrayList<>();
    List<Double> others = new ArrayList<>();
    for (int i = 0; i < 2 * TURNS; i++) {
      if (interruption.isRequested()) {
        throw new IOException("interrupted");
      }
      boolean isOther = (i + 1) / 2 % 2 == 0; // Before, now; now, before; before, now.
      double median = RowJvm.measure(isOther ? before : null, row, settings).median();
      (isOther ? others : now).add(median);
    }
    return new BenchmarkResult(row, now, others);
  }
}
