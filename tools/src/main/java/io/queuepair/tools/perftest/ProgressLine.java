// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.io.PrintWriter;

/** Says every second how far a run for a given time has come. */
final class ProgressLine {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final PrintWriter out;
  private final PerftestSettings settings;
  private long secondsSaid;

  ProgressLine(PrintWriter out, PerftestSettings settings) {
    this.out = out;
    this.settings = settings;
  }

  void show(long iterations, long nanos) {
    long seconds = nanos / NANOS_PER_SECOND;
    if (settings.isTimed() && seconds > secondsSaid) {
      secondsSaid = seconds;
      out.println(
          seconds + " of " + settings.duration().toSeconds() + " s: " + iterations + " iterations");
    }
  }
}
