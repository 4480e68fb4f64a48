package io.queuepair.tools.perftest;

import java.util.Locale;

/** The commands of the family; numbers are perftest's defaults. */
enum Benchmark {
  WRITE_BW(Operation.WRITE, Metric.BANDWIDTH, 5000),
  WRITE_LAT(Operation.WRITE, Metric.LATENCY, 1000),
  READ_BW(Operation.READ, Metric.BANDWIDTH, 1000),
  READ_LAT(Operation.READ, Metric.LATENCY, 1000),
  SEND_BW(Operation.SEND, Metric.BANDWIDTH, 1000),
  SEND_LAT(Operation.SEND, Metric.LATENCY, 1000),
  ATOMIC_BW(Operation.ATOMIC, Metric.BANDWIDTH, 1000);

  static final int ATOMIC_BYTES = 8;
  private static final int BANDWIDTH_BYTES = 65_536;
  private static final int LATENCY_BYTES = 2;

  private final Operation operation;
  private final Metric metric;
  private final int iterations;

  Benchmark(Operation operation, Metric metric, int iterations) {
    this.operation = operation;
    this.metric = metric;
    this.iterations = iterations;
  }

  Operation operation() {
    return operation;
  }

  Metric metric() {
    return metric;
  }

  int iterations() {
    return iterations;
  }

  int sizeBytes() {
    return switch (metric) {
      case LATENCY -> LATENCY_BYTES;
      case BANDWIDTH -> operation == Operation.ATOMIC ? ATOMIC_BYTES : BANDWIDTH_BYTES;
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
