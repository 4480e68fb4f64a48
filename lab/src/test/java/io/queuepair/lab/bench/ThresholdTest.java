// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ThresholdTest {
  private static BenchmarkResult result(
      Threshold threshold, List<Double> values, List<Double> references) {
    BenchmarkCase row =
        new BenchmarkCase("row", "what", Unit.MICROSECONDS, threshold, () -> nanos -> 0);
    return new BenchmarkResult(row, values, references);
  }

  @Test
  void theMedianCountsNotTheMean() {
    assertThat(result(Threshold.atLeast(1), List.of(9.0, 1.0, 2.0), List.of()).median())
        .isEqualTo(2);
    assertThat(result(Threshold.atLeast(1), List.of(9.0, 1.0, 2.0, 4.0), List.of()).median())
        .isEqualTo(3);
  }

  @Test
  void aRatioIsOfFiguresOfTheSameRound() {
    BenchmarkResult result =
        result(Threshold.ratioAtLeast(0.7), List.of(6.0, 70.0, 9.0), List.of(10.0, 100.0, 10.0));

    assertThat(result.ratio()).as("of 0.6, 0.7 and 0.9, not 9 of 10").isCloseTo(0.7, within(1e-9));
    assertThat(result.isReached()).isTrue();
  }

  @Test
  void aGoalIsReachedUpToItsLimit() {
    List<Double> one = List.of(1.0);

    assertThat(result(Threshold.atLeast(1), List.of(1.0), List.of()).isReached()).isTrue();
    assertThat(result(Threshold.atLeast(1), List.of(0.9), List.of()).isReached()).isFalse();
    assertThat(result(Threshold.atMost(1), List.of(1.0), List.of()).isReached()).isTrue();
    assertThat(result(Threshold.atMost(1), List.of(1.1), List.of()).isReached()).isFalse();
    assertThat(result(Threshold.ratioAtMost(1.5), List.of(1.5), one).isReached()).isTrue();
    assertThat(result(Threshold.ratioAtMost(1.5), List.of(1.6), one).isReached()).isFalse();
  }

  @Test
  void textsHaveThreeDigitsThatCount() {
    assertThat(Unit.MICROSECONDS.text(0.1234)).isEqualTo("0.123 us");
    assertThat(Unit.MICROSECONDS.text(1.234)).isEqualTo("1.23 us");
    assertThat(Unit.MICROSECONDS.text(12.34)).isEqualTo("12.3 us");
    assertThat(Unit.MICROSECONDS.text(123.4)).isEqualTo("123 us");
    assertThat(Threshold.ratioAtMost(1.3).text(Unit.MICROSECONDS)).isEqualTo("<= x 1.30");
    assertThat(Threshold.atLeast(5).text(Unit.MILLIONS_PER_SECOND)).isEqualTo(">= 5.00 M/s");
  }
}
