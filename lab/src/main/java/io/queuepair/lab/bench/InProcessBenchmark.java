// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class InProcessBenchmark {
  private static final int LEAST_ROUNDS = 5;

  /** Limit of a row's duration, as a multiple of that asked for: some loads exceed it. */
  private static final long MAX_DURATION_FACTOR = 3;

  private InProcessBenchmark() {}

  /** Measures a row: the figure and its reference alternate, so both see the same machine. */
  static BenchmarkResult run(BenchmarkCase row, BenchmarkSettings settings) throws IOException {
    try (Load load = row.load().open();
        Load reference = row.reference() == null ? null : row.reference().open()) {
      if (settings.warmupNanos() > 0) {
        if (reference != null) {
          reference.messagesPerSecond(settings.warmupNanos());
        }
        load.messagesPerSecond(settings.warmupNanos());
      }
      List<Double> values = new ArrayList<>();
      List<Double> references = new ArrayList<>();
      long end = System.nanoTime() + MAX_DURATION_FACTOR * settings.rounds() * settings.nanos();
      for (int round = 0; round < settings.rounds(); round++) {
        if (round >= LEAST_ROUNDS && System.nanoTime() - end > 0) {
          break;
        }
        if (reference != null) {
          references.add(row.unit().measure(reference, settings.nanos()));
        }
        values.add(row.unit().measure(load, settings.nanos()));
      }
      return new BenchmarkResult(row, values, references);
    }
  }
}
