// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures rows in this JVM. */
final class InProcessBenchmark {
  private static final int LEAST_ROUNDS = 5;

  /** How much longer than asked for a row may take: some are not over when their time is. */
  private static final long MAX_DURATION_FACTOR = 3;

  private InProcessBenchmark() {}

  /**
   * Measures a row: the figure and what stands beside it in turn, so that both see the same
   * machine. What takes longer than its time is measured fewer times.
   */
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
          references.add(row.unit().figure(reference.messagesPerSecond(settings.nanos())));
        }
        values.add(row.unit().figure(load.messagesPerSecond(settings.nanos())));
      }
      return new BenchmarkResult(row, values, references);
    }
  }
}
