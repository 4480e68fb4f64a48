// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class PerftestMeasurementTest {
  private static final long SECOND = 1_000_000_000L;

  /** 1000 ping-pongs of 2, 4, ... 2000 us, so 1 to 1000 us for one way. */
  @Test
  void percentilesAreThoseOfOneWay() {
    LatencyRecorder recorder = new LatencyRecorder(2);
    for (int i = 1; i <= 1000; i++) {
      recorder.add(i * 2000L);
    }

    LatencyResult result = recorder.result(64, 1001);

    assertThat(result.averageMicros()).isEqualTo(500.5);
    assertThat(result.spread().minMicros()).isEqualTo(1);
    assertThat(result.spread().maxMicros()).isEqualTo(1000);
    assertThat(result.spread().percentile(50)).isEqualTo(500, within(1.0));
    assertThat(result.spread().percentile(99.9)).isEqualTo(999, within(1.0));
    // Square root of (1000^2 - 1) / 12.
    assertThat(result.spread().deviationMicros()).isEqualTo(288.67, within(0.5));
  }

  @Test
  void bandwidthIsBytesThroughTime() {
    BandwidthResult result = BandwidthResult.of(1 << 20, 500, SECOND / 2, 2000);

    assertThat(result.averageMibPerSecond()).isEqualTo(1000);
    assertThat(result.peakMibPerSecond()).isEqualTo(2000);
    assertThat(result.millionsPerSecond()).isEqualTo(0.001);
  }

  /** Two messages in the first second, then eight in the next: those are the best stretch. */
  @Test
  void thePeakIsTheBestStretch() {
    PeakMeter peak = new PeakMeter();
    peak.post(0, 0);
    peak.complete(2, SECOND);
    peak.post(2, SECOND);
    peak.complete(10, 2 * SECOND);

    assertThat(peak.perSecond()).isEqualTo(8);
  }

  @Test
  void marginsDoNotCount() {
    SampleWindow window = new SampleWindow(2 * SECOND, 8 * SECOND, 10 * SECOND);

    assertThat(window.counts(2 * SECOND - 1)).isFalse();
    assertThat(window.counts(2 * SECOND)).isTrue();
    assertThat(window.counts(8 * SECOND)).isFalse();
    assertThat(window.isOver(10 * SECOND - 1)).isFalse();
    assertThat(window.isOver(10 * SECOND)).isTrue();
    assertThat(window.nanos()).isEqualTo(6 * SECOND);
  }
}
