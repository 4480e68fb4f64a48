// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.util.Locale;

/** The commands of the family; numbers are perftest's defaults. */
enum Benchmark {
  WRITE_BW(PerftestOperation.WRITE, Metric.BANDWIDTH, 5000),
  WRITE_LAT(PerftestOperation.WRITE, Metric.LATENCY, 1000),
  READ_BW(PerftestOperation.READ, Metric.BANDWIDTH, 1000),
  READ_LAT(PerftestOperation.READ, Metric.LATENCY, 1000),
  SEND_BW(PerftestOperation.SEND, Metric.BANDWIDTH, 1000),
  SEND_LAT(PerftestOperation.SEND, Metric.LATENCY, 1000),
  ATOMIC_BW(PerftestOperation.ATOMIC, Metric.BANDWIDTH, 1000),
  ATOMIC_LAT(PerftestOperation.ATOMIC, Metric.LATENCY, 1000);

  static final int ATOMIC_BYTES = 8;
  private static final int BANDWIDTH_BYTES = 65_536;
  private static final int LATENCY_BYTES = 2;

  private final PerftestOperation operation;
  private final Metric metric;
  private final int iterations;

  Benchmark(PerftestOperation operation, Metric metric, int iterations) {
    this.operation = operation;
    this.metric = metric;
    this.iterations = iterations;
  }

  PerftestOperation operation() {
    return operation;
  }

  Metric metric() {
    return metric;
  }

  int iterations() {
    return iterations;
  }

  int sizeBytes() {
    if (operation == PerftestOperation.ATOMIC) {
      return ATOMIC_BYTES;
    }
    return switch (metric) {
      case LATENCY -> LATENCY_BYTES;
      case BANDWIDTH -> BANDWIDTH_BYTES;
    };
  }

  /** As on the command line, such as {@code write-bw}. */
  String commandName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The program of perftest, such as {@code ib_write_bw}. */
  String program() {
    return "ib_" + name().toLowerCase(Locale.ROOT);
  }
}
