// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

/**
 * What counts in a run for a given time: what completes between two margins. In a run of so many
 * iterations all counts, and time never ends it.
 *
 * @param fromNanos from when on
 * @param untilNanos until when
 * @param overNanos end of the run
 */
record SampleWindow(long fromNanos, long untilNanos, long overNanos) {
  static SampleWindow starting(long nowNanos, PerftestSettings settings) {
    long margin = settings.margin().toNanos();
    long over = nowNanos + settings.duration().toNanos();
    return new SampleWindow(nowNanos + margin, over - margin, over);
  }

  boolean counts(long nowNanos) {
    return nowNanos - fromNanos >= 0 && nowNanos - untilNanos < 0;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - overNanos >= 0;
  }

  long nanos() {
    return untilNanos - fromNanos;
  }
}
