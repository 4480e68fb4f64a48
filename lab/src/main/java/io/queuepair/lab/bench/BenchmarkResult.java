// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What was measured for a row.
 *
 * @param row which
 * @param values the figures, in order of measurement; at least one
 * @param references what stands beside them; none if the row has nothing beside it
 */
record BenchmarkResult(BenchmarkCase row, List<Double> values, List<Double> references) {
  double median() {
    return median(values);
  }

  boolean hasReference() {
    return !references.isEmpty();
  }

  double referenceMedian() {
    return median(references);
  }

  /**
   * The figure divided by what stands beside it, both of the same round: the median of that, as a
   * machine that others use is another one a second later. Not a number if nothing stands beside.
   */
  double ratio() {
    return hasReference() ? median(ratios()) : Double.NaN;
  }

  private List<Double> ratios() {
    return IntStream.range(0, values.size())
        .mapToObj(round -> values.get(round) / references.get(round))
        .toList();
  }

  double reached() {
    return row.threshold().reached(median(), ratio());
  }

  boolean isReached() {
    return reached() >= 1;
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
