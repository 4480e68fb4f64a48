// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.Locale;

/** What a figure is in. */
enum Unit {
  GIGABYTES_PER_SECOND("GB/s", true),
  MILLIONS_PER_SECOND("M/s", true),
  THOUSANDS_PER_SECOND("k/s", true),
  MICROSECONDS("us", false),
  NANOSECONDS("ns", false),
  SECONDS("s", false),
  BYTES("B", false);

  private final String symbol;
  private final boolean isMoreBetter;

  Unit(String symbol, boolean isMoreBetter) {
    this.symbol = symbol;
    this.isMoreBetter = isMoreBetter;
  }

  String symbol() {
    return symbol;
  }

  boolean isMoreBetter() {
    return isMoreBetter;
  }

  /** A figure with three digits that count, and the unit. */
  String text(double value) {
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + digits + "f %s", value, symbol);
  }
}
