// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.tools.chart.Bars;
import io.queuepair.tools.chart.Plot;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures and prints.
 *
 * @param how where and how much
 * @param out for the tables
 * @param progress for the user
 * @param interruption ends the run after the row that is being measured
 */
record BenchRun(RunSettings how, PrintWriter out, ProgressBar progress, Interruption interruption) {
  /**
   * How rows are measured and printed.
   *
   * @param settings how much
   * @param isInProcess whether in this JVM
   * @param isMarkdown whether tables are for a page
   */
  record RunSettings(BenchmarkSettings settings, boolean isInProcess, boolean isMarkdown) {}

  /** Measures rows of the table. */
  List<BenchmarkResult> rows(List<BenchmarkCase> rows) throws IOException {
    Table table = new Table(out, how.isMarkdown(), -30, 10, 10, 8, -12, -7);
    table.head("row", "measured", "beside it", "ratio", "goal", "");
    List<BenchmarkResult> results = new ArrayList<>();
    for (BenchmarkCase row : rows) {
      Optional<BenchmarkResult> measured = measure(row, results.size(), rows.size());
      if (measured.isEmpty()) {
        break;
      }
      BenchmarkResult result = measured.get();
      results.add(result);
      boolean isCompared = result.hasReference();
      table.line(
          row.name(),
          row.unit().text(result.median()),
          isCompared ? row.unit().text(result.referenceMedian()) : "",
          isCompared ? Table.ratio(result.ratio()) : "",
          row.threshold().text(row.unit()),
          result.isReached() ? "reached" : "missed");
    }
    return results;
  }

  /** Measures the points of a sweep. */
  List<BenchmarkResult> sweep(ScalingChart scalingChart) throws IOException {
    Table table = new Table(out, how.isMarkdown(), 10, 14, 14);
    out.println(scalingChart.quantity());
    table.head("", "UDP loopback", "in memory");
    List<BenchmarkResult> results = new ArrayList<>();
    List<BenchmarkCase> rows = scalingChart.rows().toList();
    Iterator<Integer> numbers = scalingChart.numbers().iterator();
    for (BenchmarkCase row : rows) {
      Optional<BenchmarkResult> measured = measure(row, results.size(), rows.size());
      if (measured.isEmpty()) {
        break;
      }
      BenchmarkResult result = measured.get();
      results.add(result);
      table.line(
          numbers.next().toString(),
          row.unit().text(result.median()),
          row.unit().text(result.referenceMedian()));
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
              how.isInProcess()
                  ? InProcessBenchmark.run(row, how.settings())
                  : ForkedBenchmark.run(row, how.settings()));
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
   * Lets programs measure themselves. What does not work is said, and left out.
   *
   * @param queuepair how this program is started
   * @param figures gets them
   * @return whether all that are installed worked, or the run was interrupted
   */
  boolean against(
      List<ExternalTool> programs, List<String> queuepair, Map<ExternalBenchmark, Double> figures) {
    boolean isComplete = true;
    Table table = new Table(out, how.isMarkdown(), -42, 12);
    table.head("programs that measure themselves", "measured");
    for (ExternalTool tool : programs) {
      Optional<String> absence = tool.absence();
      if (absence.isPresent()) {
        table.line(absence.get(), "");
        continue;
      }
      for (ExternalBenchmark externalBenchmark :
          ExternalBenchmark.ALL.stream().filter(each -> each.tool() == tool).toList()) {
        if (interruption.isRequested()) {
          return true;
        }
        try {
          double figure = externalBenchmark.measure(how.settings().isQuick(), queuepair);
          figures.put(externalBenchmark, figure);
          table.line(externalBenchmark.title(), externalBenchmark.unit().text(figure));
        } catch (IOException failed) {
          if (!interruption.isRequested()) { // Ctrl-C ends the program, too.
            isComplete = false;
            table.line(externalBenchmark.title() + " did not work: " + failed.getMessage(), "");
          }
        }
      }
    }
    return isComplete;
  }

  /** Rows as bars, each as long as what it reaches of its goal. */
  static String bars(List<BenchmarkResult> results) {
    List<Bars.Bar> bars = new ArrayList<>();
    for (BenchmarkResult result : results) {
      BenchmarkCase row = result.row();
      String note = row.unit().text(result.median()) + ", " + row.threshold().text(row.unit());
      bars.add(new Bars.Bar(row.name(), result.reached(), note));
    }
    return new Bars("queuepair bench: how much of each goal is reached", bars).svg();
  }

  /** A sweep as two curves. */
  static String curves(ScalingChart scalingChart, List<BenchmarkResult> results) {
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      BenchmarkResult result = results.get(i);
      points.add(
          new Plot.Point(scalingChart.numbers().get(i), result.median(), result.referenceMedian()));
    }
    String unit = scalingChart.unit().symbol() + ": UDP loopback (blue), in memory (brown)";
    return new Plot(
            "queuepair bench --sweep " + scalingChart.label(),
            "medians, JDK "
                + Runtime.version().feature()
                + ", "
                + Runtime.getRuntime().availableProcessors()
                + " processors",
            unit,
            scalingChart.quantity(),
            points)
        .svg();
  }
}
