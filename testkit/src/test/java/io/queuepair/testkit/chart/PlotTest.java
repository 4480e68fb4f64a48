// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlotTest {
  private static Axis axis(String values) {
    return Axis.of(Arrays.stream(values.split(" ", -1)).map(Double::valueOf).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "1411.5 300, 0 500 1000 1500",
    "0.846 0.2, 0 0.2 0.4 0.6 0.8 1",
    "5, 0 1 2 3 4 5",
    "0 0, 0 0.2 0.4 0.6 0.8 1",
    "3 90, 2 5 10 20 50 100",
    "0.02 0.7, 0.02 0.05 0.1 0.2 0.5 1",
    "0 1 20, 1 2 5 10 20",
    "3 40000, 1 10 100 1000 10000 100000"
  })
  void ticksAreOneTwoAndFiveTimesPowersOfTen(String values, String ticks) {
    assertThat(axis(values).ticks().stream().map(Axis::label))
        .containsExactly(ticks.split(" ", -1));
  }

  @Test
  void equalFactorsAreEqualDistancesIfValuesDifferByLargeOnes() {
    Axis axis = axis("1 10000");

    assertThat(axis.share(1)).isEqualTo(0);
    assertThat(axis.share(100)).isCloseTo(0.5, within(1e-9));
    assertThat(axis.share(10_000)).isCloseTo(1, within(1e-9));
    assertThat(axis.share(0)).isEqualTo(0);
    assertThat(axis("100 50").share(25)).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void barsHaveAScale() {
    Bars bars = new Bars("bench", List.of(new Bars.Bar("row", 0.7, "7 of 10")));

    assertThat(bars.svg())
        .containsSubsequence(">0 %</text>", ">50 %</text>", ">goal, 100 %</text>");
  }

  @Test
  void saysWhatWasRun() {
    Plot plot =
        new Plot("write-bw", "MTU 1024", "MiB/s", "bytes", List.of(new Plot.Point(2, 1, 3)));

    assertThat(plot.svg())
        .containsSubsequence(">write-bw</text>", ">MTU 1024</text>", ">MiB/s</text>");
  }
}
