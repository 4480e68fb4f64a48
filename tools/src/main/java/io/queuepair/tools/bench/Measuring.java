package io.queuepair.tools.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures rows in this JVM. */
final class Measuring {
  private Measuring() {}

  /**
   * Measures a row: the figure and what stands beside it in turn, so that both see the same
   * machine.
   */
  static RowResult run(Row row, Effort effort) throws IOException {
    warmUp(row, effort);
    List<Double> values = new ArrayList<>();
    List<Double> references = new ArrayList<>();
    for (int round = 0; round < effort.rounds(); round++) {
      if (row.reference() != null) {
        references.add(row.reference().probe().measure(effort));
      }
      values.add(row.probe().measure(effort));
    }
    return new RowResult(row, values, references);
  }

  private static void warmUp(Row row, Effort effort) throws IOException {
    if (effort.warmupNanos() == 0) {
      return;
    }
    Effort warmup = effort.lasting(effort.warmupNanos());
    if (row.reference() != null) {
      row.reference().probe().measure(warmup);
    }
    row.probe().measure(warmup);
  }
}
