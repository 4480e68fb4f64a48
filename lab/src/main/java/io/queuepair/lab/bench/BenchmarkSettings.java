// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How much a row is measured.
 *
 * @param nanos how long each measurement takes, at least
 * @param warmupNanos how long what is measured runs before, so that the JVM has compiled it
 * @param rounds measurements of each figure, at most, of which the median counts
 */
record BenchmarkSettings(long nanos, long warmupNanos, int rounds) {
  static BenchmarkSettings of(double seconds, double warmupSeconds, int rounds) {
    return new BenchmarkSettings(nanos(seconds), nanos(warmupSeconds), rounds);
  }

  private static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** The options of the command that ask for this. */
  List<String> options() {
    return List.of(
        "--seconds", "" + nanos / 1e9, "--warmup", "" + warmupNanos / 1e9, "--rounds", "" + rounds);
  }
}
