// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures rows of this version and of another one in turns, each time in a new JVM. A shared
 * machine changes from minute to minute: only what all turns show is a difference.
 *
 * @param run how, and for whom; its interruption ends the row that is being measured
 * @param before the other version
 */
record VersionComparison(BenchRun run, VersionBefore before) {
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
   * Measures and prints. What the other version does not have, or one of them cannot measure, is
   * said and left out.
   *
   * @param results gets the rows of both versions
   * @return whether all was measured that both have, or the run was interrupted
   * @throws IOException if the other version cannot be run
   */
  boolean print(List<BenchmarkCase> rows, Map<BenchmarkCase, Measured> results) throws IOException {
    Set<String> known = before.names();
    Table table = new Table(run.out(), run.how().isMarkdown(), -30, 10, 10, 8, -20);
    table.head("row", "before", "now", "ratio", "of each turn");
    boolean isComplete = true;
    for (BenchmarkCase row : rows) {
      if (!known.contains(row.name())) {
        table.line(row.name(), "", "", "", "not a row of " + before.jar().getFileName());
        continue;
      }
      try {
        Measured measured = measure(row, results.size(), rows.size());
        if (run.interruption().isRequested()) {
          return isComplete;
        }
        results.put(row, measured);
        print(row, measured, table);
      } catch (IOException failed) {
        if (run.interruption().isRequested()) {
          return isComplete; // Ctrl-C ends the JVM of the row, too.
        }
        isComplete = false;
        table.line(row.name(), "", "", "", failed.getMessage());
      }
    }
    return isComplete;
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
      for (int turn = 0; turn < TURNS && !run.interruption().isRequested(); turn++) {
        String text = row.name() + ", turn " + (turn + 1);
        run.progress().show((long) TURNS * done + turn, (long) TURNS * all, "turns", text);
        boolean isOwnFirst = turn % 2 == 1;
        if (isOwnFirst) {
          measured.now().add(own(row));
        }
        measured.before().add(before.run(row, run.how().settings()).median());
        if (!isOwnFirst) {
          measured.now().add(own(row));
        }
      }
    } finally {
      run.progress().clear();
    }
    return measured;
  }

  private double own(BenchmarkCase row) throws IOException {
    return ForkedBenchmark.run(row, run.how().settings()).median();
  }
}
