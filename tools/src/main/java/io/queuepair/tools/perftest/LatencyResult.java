// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.util.Locale;
import java.util.Map;

/**
 * How long one way, or one request with its answer, took.
 *
 * @param sizeBytes bytes of one message
 * @param iterations messages sent
 * @param averageMicros mean
 * @param spread minimum, percentiles and so on; null if nothing was measured
 */
record LatencyResult(long sizeBytes, long iterations, double averageMicros, Spread spread)
    implements Result {
  private static final double MICROS_PER_SECOND = 1e6;

  /**
   * How the times were spread.
   *
   * @param minMicros the shortest
   * @param maxMicros the longest
   * @param deviationMicros standard deviation
   * @param percentiles by percentage: the time that so many took at most; 50 is the typical time
   */
  record Spread(
      double minMicros, double maxMicros, double deviationMicros, Map<Double, Double> percentiles) {
    double percentile(double percentage) {
      return percentiles.get(percentage);
    }
  }

  static String heading(boolean isTimed) {
    return isTimed
        ? " #bytes        #iterations       t_avg[usec]    tps average"
        : " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]  "
            + "  t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ";
  }

  /**
   * The line of the table after a run for a given time.
   *
   * @param ways how many times the latency one iteration takes: 2 for a ping-pong
   */
  String timedRow(int ways) {
    double perSecond = averageMicros == 0 ? 0 : MICROS_PER_SECOND / (averageMicros * ways);
    return String.format(
        Locale.ROOT,
        " %-7d       %d            %-7.2f        %-7.2f",
        sizeBytes,
        iterations,
        averageMicros,
        perSecond);
  }

  /** The line of the table after a run of so many iterations. */
  String row() {
    return String.format(
        Locale.ROOT,
        " %-7d %d          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t%-7.2f\t\t%-7.2f"
            + " \t\t%-7.2f",
        sizeBytes,
        iterations,
        spread.minMicros(),
        spread.maxMicros(),
        spread.percentile(50),
        averageMicros,
        spread.deviationMicros(),
        spread.percentile(99),
        spread.percentile(99.9));
  }
}
