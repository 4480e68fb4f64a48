// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

  /** Measures rows, and prints each result at once. */
  List<BenchmarkResult> rows(List<BenchmarkCase> rows) throws IOException {
    Table table = new Table(out, -30, 10, 10, 8, -12, -7);
    table.head("row", "measured", "beside it", "ratio", "goal", "");
    List<BenchmarkResult> results = new ArrayList<>();
    for (BenchmarkCase row : rows) {
      Optional<BenchmarkResult> measured = measure(row, results.size(), rows.size());
      if (measured.isEmpty()) {
        break;
      }
      BenchmarkResult result = measured.get();
      results.add(result);
      boolean isCompared = row.reference() != null;
      table.line(
          row.name(),
          row.unit().text(result.median()),
          isCompared ? row.unit().text(result.referenceMedian()) : "",
          isCompared ? Table.ratio(result.ratio()) : "",
          row.goal(),
          row.threshold() == null ? "bound" : result.isReached() ? "reached" : "missed");
    }
    return results;
  }

  /** Measures a row; empty if the run was interrupted. */
  private Optional<BenchmarkResult> measure(BenchmarkCase row, int done, int all)
      throws IOException {
    progress.show(done, all, "rows", row.name());
    try {
      return interruption.isRequested()
          ? Optional.empty()
          : Optional.of(
              isInProcess ? InProcessBenchmark.run(row, settings) : RowJvm.measure(row, settings));
    } catch (IOException ended) {
      if (interruption.isRequested()) {
        return Optional.empty(); // Ctrl-C ends the JVM of the row, too.
      }
      throw ended;
    } finally {
      progress.clear();
    }
  }

  /**
   * Measures each row in turns by this version and another one, each time in a new JVM. The speed
   * of a shared machine changes from minute to minute: only what all turns show is a difference.
   *
   * @return false if a row that both versions have could not be measured; true if the user
   *     interrupted
   */
  boolean compare(List<BenchmarkCase> rows, Path before) throws IOException {
    Set<String> known = RowJvm.rowsOf(before);
    Table table = new Table(out, -30, 10, 10, 8, -20);
    table.head("row", "before", "now", "ratio", "of each turn");
    boolean isComplete = true;
    for (int i = 0; i < rows.size() && !interruption.isRequested(); i++) {
      BenchmarkCase row = rows.get(i);
      if (!known.contains(row.name())) {
        table.line(row.name(), "", "", "", "not a row of " + before.getFileName());
        continue;
      }
      try {
        BenchmarkResult both = inTurns(row, before, i, rows.size());
        if (!interruption.isRequested()) {
          table.line(
              row.name(),
              row.unit().text(both.referenceMedian()),
              row.unit().text(both.median()),
              Table.ratio(both.ratio()),
              both.ratios().stream().map(Table::ratio).collect(Collectors.joining(", ")));
        }
      } catch (IOException failed) {
        if (!interruption.isRequested()) { // Ctrl-C ends the JVM of the row, too.
          isComplete = false;
          table.line(row.name(), "", "", "", failed.getMessage());
        }
      }
    }
    return isComplete;
  }

  /**
   * Measures a row by this version, with the other version as its reference. The order of the two
   * alternates, so that a drift of the machine's speed favours neither.
   */
  private BenchmarkResult inTurns(BenchmarkCase row, Path before, int done, int all)
      throws IOException {
    List<Double> now = new ArrayList<>();
    List<Double> others = new ArrayList<>();
    try {
      for (int turn = 0; turn < TURNS && !interruption.isRequested(); turn++) {
        String text = row.name() + ", turn " + (turn + 1);
        progress.show((long) TURNS * done + turn, (long) TURNS * all, "turns", text);
        if (turn % 2 == 1) {
          now.add(RowJvm.measure(row, settings).median());
        }
        others.add(RowJvm.measure(before, row, settings).median());
        if (turn % 2 == 0) {
          now.add(RowJvm.measure(row, settings).median());
        }
      }
    } finally {
      progress.clear();
    }
    return new BenchmarkResult(row, now, others);
  }

  /**
   * Runs external programs that measure themselves, and prints a line for each that fails.
   *
   * @param queuepair command line that starts this program
   */
  boolean against(List<ExternalTool> tools, List<String> queuepair) {
    boolean isComplete = true;
    Table table = new Table(out, -42, 12);
    table.head("programs that measure themselves", "measured");
    for (ExternalTool tool : tools) {
      if (!tool.isInstalled()) {
        table.line(tool.advice(), "");
        continue;
      }
      for (ExternalBenchmark benchmark :
          ExternalBenchmark.ALL.stream().filter(each -> each.tool() == tool).toList()) {
        if (interruption.isRequested()) {
          return true;
        }
        try {
          table.line(benchmark.title(), benchmark.unit().text(benchmark.measure(queuepair)));
        } catch (IOException failed) {
          if (!interruption.isRequested()) { // Ctrl-C ends the program, too.
            isComplete = false;
            table.line(benchmark.title() + " did not work: " + failed.getMessage(), "");
          }
        }
      }
    }
    return isComplete;
  }
}
