// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.util.Locale;

/** Units of figures, each with how a load is measured. */
enum Unit {
  /** Gigabytes per second of messages of 1 MiB. */
  GIGABYTES_PER_SECOND("GB/s", (load, nanos) -> load.messagesPerSecond(nanos) * (1 << 20) / 1e9),
  MILLIONS_PER_SECOND("M/s", (load, nanos) -> load.messagesPerSecond(nanos) / 1e6),
  THOUSANDS_PER_SECOND("k/s", (load, nanos) -> load.messagesPerSecond(nanos) / 1e3),
  /** Duration of one message. */
  MICROSECONDS("us", (load, nanos) -> 1e6 / load.messagesPerSecond(nanos)),
  /** Bytes of heap that one message allocates. */
  BYTES("B", Load::bytesPerMessage);

  private final String symbol;
  private final Measurement measurement;

  private interface Measurement {
    double of(Load load, long nanos) throws IOException;
  }

  Unit(String symbol, Measurement measurement) {
    this.symbol = symbol;
    this.measurement = measurement;
  }

  String symbol() {
    return symbol;
  }

  double measure(Load load, long nanos) throws IOException {
    return measurement.of(load, nanos);
  }

  /** Formats a figure with three significant digits and the unit. */
  String text(double value) {
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + digits + "f %s", value, symbol);
  }
}
