// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/** Units of figures, each with its formula from messages per second. */
enum Unit {
  /** Gigabytes per second of messages of 1 MiB. */
  GIGABYTES_PER_SECOND("GB/s", perSecond -> perSecond * (1 << 20) / 1e9),
  MILLIONS_PER_SECOND("M/s", perSecond -> perSecond / 1e6),
  THOUSANDS_PER_SECOND("k/s", perSecond -> perSecond / 1e3),
  /** Duration of one message. */
  MICROSECONDS("us", perSecond -> 1e6 / perSecond);

  private final String symbol;
  private final DoubleUnaryOperator figure;

  Unit(String symbol, DoubleUnaryOperator figure) {
    this.symbol = symbol;
    this.figure = figure;
  }

  static Unit of(String symbol) {
    return Arrays.stream(values())
        .filter(unit -> unit.symbol.equals(symbol))
        .findFirst()
        .orElseThrow();
  }

  String symbol() {
    return symbol;
  }

  double figure(double messagesPerSecond) {
    return figure.applyAsDouble(messagesPerSecond);
  }

  /** Formats a figure with three significant digits and the unit. */
  String text(double value) {
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + digits + "f %s", value, symbol);
  }
}
