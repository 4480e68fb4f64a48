// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Duration and number of measurements of a row.
 *
 * @param nanos least duration of each measurement
 * @param warmupNanos time for which the load runs before, so that the JVM has compiled it
 * @param rounds most measurements of each figure; the result is their median
 */
record BenchmarkSettings(long nanos, long warmupNanos, int rounds) {
  static BenchmarkSettings of(double seconds, double warmupSeconds, int rounds) {
    return new BenchmarkSettings(nanos(seconds), nanos(warmupSeconds), rounds);
  }

  private static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** Command-line options of {@code bench} with these settings. */
  List<String> options() {
    return List.of(
        "--seconds", "" + nanos / 1e9, "--warmup", "" + warmupNanos / 1e9, "--rounds", "" + rounds);
  }
}
