// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.List;
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

  /**
   * Median over the rounds of the figure divided by the reference of the same round: the speed of a
   * shared machine changes within a second. NaN without a reference.
   */
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

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
  }
}
