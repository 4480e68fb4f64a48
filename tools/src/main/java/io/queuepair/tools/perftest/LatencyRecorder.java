// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.perftest.LatencyResult.Spread;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Collects times, and says how they are spread. */
final class LatencyRecorder {
  static final double[] PERCENTAGES = {50, 90, 99, 99.9, 99.99};

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NANOS_PER_MICRO = 1e3;

  private final Histogram times = new Histogram(SIGNIFICANT_DIGITS);
  private final int ways;
  private long minNanos = Long.MAX_VALUE;
  private long maxNanos;
  private long totalNanos;

  /**
   * Starts without any.
   *
   * @param ways how many times the latency each time is
   */
  LatencyRecorder(int ways) {
    this.ways = ways;
  }

  void add(long nanos) {
    times.recordValue(nanos);
    minNanos = Math.min(minNanos, nanos);
    maxNanos = Math.max(maxNanos, nanos);
    totalNanos += nanos;
  }

  /** What a run of so many iterations comes to. */
  LatencyResult result(long sizeBytes, long iterations) {
    double average = micros((double) totalNanos / times.getTotalCount());
    return new LatencyResult(sizeBytes, iterations, average, spread());
  }

  /** What a run of a given time comes to: its mean says how many fitted in. */
  LatencyResult timed(long sizeBytes, long iterations, long nanos) {
    double average = iterations == 0 ? 0 : micros((double) nanos / iterations);
    Spread known = times.getTotalCount() == 0 ? null : spread();
    return new LatencyResult(sizeBytes, iterations, average, known);
  }

  private Spread spread() {
    Map<Double, Double> percentiles = new LinkedHashMap<>();
    for (double percentage : PERCENTAGES) {
      // A value of the histogram is the end of its bucket, which may be beyond the longest time.
      long nanos = Math.min(times.getValueAtPercentile(percentage), maxNanos);
      percentiles.put(percentage, micros((double) nanos));
    }
    return new Spread(
        micros((double) minNanos),
        micros((double) maxNanos),
        micros(times.getStdDeviation()),
        percentiles);
  }

  private double micros(double nanos) {
    return nanos / NANOS_PER_MICRO / ways;
  }
}
