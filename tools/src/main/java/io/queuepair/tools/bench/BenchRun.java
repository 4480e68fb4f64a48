package io.queuepair.tools.bench;

import io.queuepair.tools.chart.Bars;
import io.queuepair.tools.chart.Plot;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures and prints.
 *
 * @param how where and how much
 * @param out for the tables
 * @param progress for whoever waits
 * @param interruption ends the run after the row that is being measured
 */
record BenchRun(Manner how, PrintWriter out, ProgressBar progress, Interruption interruption) {
  /**
   * How rows are measured and printed.
   *
   * @param effort how much
   * @param isInProcess whether in this JVM
   * @param isMarkdown whether tables are for a page
   */
  record Manner(Effort effort, boolean isInProcess, boolean isMarkdown) {}

  /** Measures rows of the table. */
  List<RowResult> rows(List<Row> rows) throws IOException {
    Table table = new Table(out, how.isMarkdown(), -30, 10, 10, 8, -12, -7);
    table.head("row", "measured", "beside it", "ratio", "goal", "");
    List<RowResult> results = new ArrayList<>();
    for (Row row : rows) {
      Optional<RowResult> measured = measure(row, results.size(), rows.size());
      if (measured.isEmpty()) {
        break;
      }
      RowResult result = measured.get();
      results.add(result);
      boolean isCompared = result.hasReference();
      table.line(
          row.name(),
          row.unit().text(result.median()),
          isCompared ? row.unit().text(result.referenceMedian()) : "",
          isCompared ? String.format(Locale.ROOT, "x %.2f", result.ratio()) : "",
          row.goal().text(row.unit()),
          result.isReached() ? "reached" : "missed");
    }
    return results;
  }

  /** Measures the points of a sweep. */
  List<RowResult> sweep(Sweep sweep) throws IOException {
    Table table = new Table(out, how.isMarkdown(), 10, 14, 14);
    out.println(sweep.quantity());
    table.head("", "UDP loopback", "in memory");
    List<RowResult> results = new ArrayList<>();
    List<Row> rows = sweep.rows().toList();
    Iterator<Integer> numbers = sweep.numbers().iterator();
    for (Row row : rows) {
      Optional<RowResult> measured = measure(row, results.size(), rows.size());
      if (measured.isEmpty()) {
        break;
      }
      RowResult result = measured.get();
      results.add(result);
      table.line(
          numbers.next().toString(),
          row.unit().text(result.median()),
          row.unit().text(result.referenceMedian()));
    }
    return results;
  }

  /** Measures a row; empty if the run was interrupted. */
  private Optional<RowResult> measure(Row row, int done, int all) throws IOException {
    progress.show(done, all, "rows", row.name());
    try {
      return interruption.isRequested()
          ? Optional.empty()
          : Optional.of(
              how.isInProcess()
                  ? Measuring.run(row, how.effort())
                  : RowProcess.run(row, how.effort()));
    } catch (IOException ended) {
      if (interruption.isRequested()) {
        return Optional.empty(); // Ctrl-C ends the JVM of the row, too.
      }
      throw ended;
    } finally {
      progress.clear();
    }
  }

  /** Lets other libraries measure themselves. */
  Map<Rival, Double> against(List<Library> libraries) throws IOException {
    Map<Rival, Double> figures = new LinkedHashMap<>();
    Table table = new Table(out, how.isMarkdown(), -36, 12);
    table.head("other libraries, by their own programs", "measured");
    for (Library library : libraries) {
      if (!library.isInstalled()) {
        table.line(library.absence(), "");
        continue;
      }
      for (Rival rival : Rival.ALL.stream().filter(each -> each.library() == library).toList()) {
        double figure = rival.measure(how.effort().isQuick());
        figures.put(rival, figure);
        table.line(rival.title(), rival.unit().text(figure));
      }
    }
    return figures;
  }

  /** Rows as bars, each as long as what it reaches of its goal. */
  static String bars(List<RowResult> results) {
    List<Bars.Bar> bars = new ArrayList<>();
    for (RowResult result : results) {
      Row row = result.row();
      String note = row.unit().text(result.median()) + ", " + row.goal().text(row.unit());
      bars.add(new Bars.Bar(row.name(), result.reached(), note));
    }
    return new Bars("queuepair bench: how much of each goal is reached", bars).svg();
  }

  /** A sweep as two curves. */
  static String curves(Sweep sweep, List<RowResult> results) {
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      RowResult result = results.get(i);
      points.add(new Plot.Point(sweep.numbers().get(i), result.median(), result.referenceMedian()));
    }
    String unit = sweep.unit().symbol() + ": UDP loopback (blue), in memory (brown)";
    return new Plot("queuepair bench --sweep " + sweep.label(), unit, sweep.quantity(), points)
        .svg();
  }
}
