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
 * @param crowd how many queue pairs or timers "many" are
 */
record BenchmarkSettings(long nanos, long warmupNanos, int rounds, int crowd) {
  private static final int CROWD = 100_000;
  private static final int QUICK_CROWD = 1_000;
  private static final double QUICK_SECONDS = 0.02;

  static BenchmarkSettings of(double seconds, double warmupSeconds, int rounds) {
    return new BenchmarkSettings(nanos(seconds), nanos(warmupSeconds), rounds, CROWD);
  }

  /** As short as it goes: figures that say nothing but that everything works. */
  static BenchmarkSettings quick() {
    return new BenchmarkSettings(nanos(QUICK_SECONDS), 0, 1, QUICK_CROWD);
  }

  private static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** The options of the command that ask for this. */
  List<String> options() {
    return isQuick()
        ? List.of("--quick")
        : List.of(
            "--seconds", "" + seconds(), "--warmup", "" + warmupSeconds(), "--rounds", "" + rounds);
  }

  boolean isQuick() {
    return crowd == QUICK_CROWD;
  }

  double seconds() {
    return nanos / 1e9;
  }

  double warmupSeconds() {
    return warmupNanos / 1e9;
  }
}
