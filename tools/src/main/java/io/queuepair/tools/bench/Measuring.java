package io.queuepair.tools.bench;

import io.queuepair.tools.bench.Probe.Opened;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures rows in this JVM. */
final class Measuring {
  private static final int LEAST_ROUNDS = 5;

  /** How much longer than asked for a row may take: some are not over when their time is. */
  private static final long MOST_PATIENCE = 3;

  private Measuring() {}

  /**
   * Measures a row: the figure and what stands beside it in turn, so that both see the same
   * machine. What takes longer than its time is measured fewer times.
   */
  static RowResult run(Row row, Effort effort) throws IOException {
    try (Opened figure = row.probe().open(effort);
        Opened reference = row.reference() == null ? null : row.reference().probe().open(effort)) {
      if (effort.warmupNanos() > 0) {
        warmUp(figure, reference, effort.warmupNanos());
      }
      List<Double> values = new ArrayList<>();
      List<Double> references = new ArrayList<>();
      long end = System.nanoTime() + MOST_PATIENCE * effort.rounds() * effort.nanos();
      for (int round = 0; round < effort.rounds(); round++) {
        if (round >= LEAST_ROUNDS && System.nanoTime() - end > 0) {
          break;
        }
        if (reference != null) {
          references.add(reference.measure(effort.nanos()));
        }
        values.add(figure.measure(effort.nanos()));
      }
      return new RowResult(row, values, references);
    }
  }

  private static void warmUp(Opened figure, Opened reference, long nanos) throws IOException {
    if (reference != null) {
      reference.measure(nanos);
    }
    figure.measure(nanos);
  }
}
