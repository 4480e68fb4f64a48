// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Figures measured for a row.
 *
 * @param references figures of the reference; empty if the row has none
 */
record BenchmarkResult(BenchmarkCase row, List<Double> values, List<Double> references) {
  double median() {
    return median(values);
  }

  double referenceMedian() {
    return median(references);
  }

  /** Median of the figure divided by the reference of its round; NaN without a reference. */
  double ratio() {
    return references.isEmpty() ? Double.NaN : median(ratios());
  }

  /** Figure divided by the reference, for each round. */
  List<Double> ratios() {
    return IntStream.range(0, values.size())
        .mapToObj(round -> values.get(round) / references.get(round))
        .toList();
  }

  boolean isReached() {
    return row.threshold().isReached(median(), ratio());
  }

  /** Cells of a line: beside the reference and the goal. */
  List<String> cells() {
    boolean isCompared = !references.isEmpty();
    return List.of(
        row.name(),
        row.unit().text(median()),
        isCompared ? row.unit().text(referenceMedian()) : "",
        isCompared ? Table.ratio(ratio()) : "",
        row.goal(),
        row.threshold() == null ? "" : isReached() ? "reached" : "missed");
  }

  /** Cells of a line: beside another version, which is the reference. */
  List<String> cellsOfTurns() {
    return List.of(
        row.name(),
        row.unit().text(referenceMedian()),
        row.unit().text(median()),
        Table.ratio(ratio()),
        ratios().stream().map(Table::ratio).collect(Collectors.joining(", ")));
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
  }
}
