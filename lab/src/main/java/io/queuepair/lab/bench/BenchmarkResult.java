// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Figures measured for a row.
 *
 * @param references what stands beside them; none if the row has nothing beside it
 */
record BenchmarkResult(BenchmarkCase row, List<Double> values, List<Double> references) {
  double median() {
    return median(values);
  }

  double referenceMedian() {
    return median(references);
  }

  /**
   * The figure divided by what stands beside it, both of the same round: the median of that, as a
   * machine that others use is another one a second later. Not a number if nothing stands beside.
   */
  double ratio() {
    return references.isEmpty() ? Double.NaN : median(ratios());
  }

  /** The ratio of each round. */
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
