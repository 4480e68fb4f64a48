// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables behind ibv_rate_to_mult and ibv_rate_to_mbps, and back. */
final class RateTest {
  @ParameterizedTest
  @CsvSource({
    "RATE_MAX, -1, -1",
    "RATE_2_5_GBPS, 1, 2500",
    "RATE_5_GBPS, 2, 5000",
    "RATE_10_GBPS, 4, 10000",
    "RATE_20_GBPS, 8, 20000",
    "RATE_30_GBPS, 12, 30000",
    "RATE_40_GBPS, 16, 40000",
    "RATE_60_GBPS, 24, 60000",
    "RATE_80_GBPS, 32, 80000",
    "RATE_120_GBPS, 48, 120000",
    "RATE_14_GBPS, -1, 14062",
    "RATE_56_GBPS, -1, 56250",
    "RATE_112_GBPS, -1, 112500",
    "RATE_168_GBPS, -1, 168750",
    "RATE_25_GBPS, -1, 25781",
    "RATE_100_GBPS, -1, 103125",
    "RATE_200_GBPS, -1, 206250",
    "RATE_300_GBPS, -1, 309375",
    "RATE_28_GBPS, 11, 28125",
    "RATE_50_GBPS, 20, 53125",
    "RATE_400_GBPS, 160, 425000",
    "RATE_600_GBPS, 240, 637500",
    "RATE_800_GBPS, 320, 850000",
    "RATE_1200_GBPS, 480, 1275000"
  })
  void ratesAreConvertedAsInC(Rate rate, int mult, int mbps) {
    assertThat(rate.toMult()).isEqualTo(mult);
    assertThat(rate.toMbps()).isEqualTo(mbps);
    assertThat(Rate.ofMult(mult)).isEqualTo(mult == -1 ? Rate.RATE_MAX : rate);
    assertThat(Rate.ofMbps(mbps)).isEqualTo(rate);
  }

  @Test
  void whatNoRateIsBecomesTheMaximum() {
    assertThat(Rate.ofMult(3)).isEqualTo(Rate.RATE_MAX);
    assertThat(Rate.ofMult(-1)).isEqualTo(Rate.RATE_MAX);
    assertThat(Rate.ofMbps(10_001)).isEqualTo(Rate.RATE_MAX);
    assertThat(Rate.ofMbps(-1)).isEqualTo(Rate.RATE_MAX);
  }
}
