// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * What was moved in which time.
 *
 * @param sizeBytes bytes of one message
 * @param iterations messages measured, of all queue pairs
 * @param peakMibPerSecond the best stretch, in 2^20 bytes per second; 0 if not looked for
 * @param averageMibPerSecond over all
 * @param millionsPerSecond millions of messages per second
 */
record BandwidthResult(
    long sizeBytes,
    long iterations,
    double peakMibPerSecond,
    double averageMibPerSecond,
    double millionsPerSecond)
    implements Result {
  /** For a side that has nothing to say. */
  static final BandwidthResult NONE = new BandwidthResult(0, 0, 0, 0, 0);

  private static final double MIB = 1 << 20;
  private static final double GIGABIT = 1e9 / 8;
  private static final double NANOS_PER_SECOND = 1e9;

  static BandwidthResult of(long sizeBytes, long iterations, long nanos, double peakPerSecond) {
    double perSecond = iterations / (nanos / NANOS_PER_SECOND);
    return new BandwidthResult(
        sizeBytes,
        iterations,
        peakPerSecond * sizeBytes / MIB,
        perSecond * sizeBytes / MIB,
        perSecond / 1e6);
  }

  /** Both directions together. */
  BandwidthResult plus(BandwidthResult other) {
    return new BandwidthResult(
        sizeBytes,
        iterations,
        peakMibPerSecond + other.peakMibPerSecond,
        averageMibPerSecond + other.averageMibPerSecond,
        millionsPerSecond + other.millionsPerSecond);
  }

  /** What no measurement can have, in one sentence; empty if there is nothing. */
  Optional<String> flaw() {
    if (sizeBytes < 1) {
      return Optional.of("size " + sizeBytes + " is not above 0");
    }
    if (iterations < 0) {
      return Optional.of("iterations " + iterations + " is below 0");
    }
    return DoubleStream.of(peakMibPerSecond, averageMibPerSecond, millionsPerSecond)
        .filter(rate -> !Double.isFinite(rate) || rate < 0)
        .mapToObj(rate -> "rate " + rate + " is not a finite number from 0")
        .findFirst();
  }

  static String heading(boolean inGigabits) {
    String unit = inGigabits ? "Gb/sec" : "MB/sec";
    return " #bytes     #iterations    BW peak["
        + unit
        + "]    BW average["
        + unit
        + "]   MsgRate[Mpps]";
  }

  String row(boolean inGigabits) {
    double unit = inGigabits ? MIB / GIGABIT : 1;
    return String.format(
        Locale.ROOT,
        " %-7d    %-10d       %-7.2f            %-7.2f\t\t   %-7.6f",
        sizeBytes,
        iterations,
        peakMibPerSecond * unit,
        averageMibPerSecond * unit,
        millionsPerSecond);
  }
}
