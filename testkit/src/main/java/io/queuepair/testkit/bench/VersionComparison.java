// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.bench;

import io.queuepair.testkit.cli.Interruption;
import io.queuepair.testkit.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures rows of this version and of another one in turns, each time in a new JVM. A shared
 * machine changes from minute to minute: only what all turns show is a difference.
 *
 * @param settings how much is measured in each turn
 * @param before the other version
 * @param progress for the user
 * @param interruption ends the run after the turn that is being measured
 */
record VersionComparison(
    BenchmarkSettings settings,
    VersionBefore before,
    ProgressBar progress,
    Interruption interruption) {
  private static final int TURNS = 3;

  /**
   * What both versions reached in a row.
   *
   * @param before the median of each turn
   * @param now the same of this version
   */
  record Measured(List<Double> before, List<Double> now) {
    double medianBefore() {
      return BenchmarkResult.median(before);
    }

    double medianNow() {
      return BenchmarkResult.median(now);
    }

    /** This version by the other, in each turn. */
    List<Double> ratios() {
      return IntStream.range(0, now.size())
          .mapToObj(turn -> now.get(turn) / before.get(turn))
          .toList();
    }
  }

  /**
   * Measures and prints. What the other version does not have, or cannot measure, is said.
   *
   * @return the rows of both versions
   * @throws IOException if the other version cannot be run, or this one fails
   */
  Map<BenchmarkCase, Measured> print(List<BenchmarkCase> rows, PrintWriter out, boolean isMarkdown)
      throws IOException {
    Set<String> known = before.names();
    Table table = new Table(out, isMarkdown, -30, 10, 10, 8, -20);
    table.head("row", "before", "now", "ratio", "of each turn");
    Map<BenchmarkCase, Measured> results = new LinkedHashMap<>();
    for (BenchmarkCase row : rows) {
      if (!known.contains(row.name())) {
        table.line(row.name(), "", "", "", "not a row of " + before.jar().getFileName());
        continue;
      }
      try {
        Measured measured = measure(row, results.size(), rows.size());
        if (interruption.isRequested()) {
          break;
        }
        results.put(row, measured);
        print(row, measured, table);
      } catch (IOException failed) {
        if (interruption.isRequested()) {
          break; // Ctrl-C ends the JVM of the row, too.
        }
        table.line(row.name(), "", "", "", failed.getMessage());
      }
    }
    return results;
  }

  private static void print(BenchmarkCase row, Measured measured, Table table) {
    List<Double> ratios = measured.ratios();
    table.line(
        row.name(),
        row.unit().text(measured.medianBefore()),
        row.unit().text(measured.medianNow()),
        Table.ratio(BenchmarkResult.median(ratios)),
        ratios.stream().map(Table::ratio).collect(Collectors.joining(", ")));
  }

  /** The order of the two changes from turn to turn, so that neither gains by a drift. */
  private Measured measure(BenchmarkCase row, int done, int all) throws IOException {
    Measured measured = new Measured(new ArrayList<>(), new ArrayList<>());
    try {
      for (int turn = 0; turn < TURNS && !interruption.isRequested(); turn++) {
        progress.show(
            (long) TURNS * done + turn,
            (long) TURNS * all,
            "turns",
            row.name() + ", turn " + (turn + 1));
        boolean isOwnFirst = turn % 2 == 1;
        if (isOwnFirst) {
          measured.now().add(own(row));
        }
        measured.before().add(before.run(row, settings).median());
        if (!isOwnFirst) {
          measured.now().add(own(row));
        }
      }
    } finally {
      progress.clear();
    }
    return measured;
  }

  private double own(BenchmarkCase row) throws IOException {
    return ForkedBenchmark.run(row, settings).median();
  }
}
