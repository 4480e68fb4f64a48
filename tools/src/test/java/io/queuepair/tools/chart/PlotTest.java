// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlotTest {
  private static final Plot PLOT =
      new Plot("udp-write-1m", "MTU 1024", "MiB/s", "bytes", List.of(new Plot.Point(2, 1, 3)));

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

  /** Text and lines by the rules of WCAG 2.1, 1.4.3 and 1.4.11: contrasts of 4.5 and of 3. */
  @ParameterizedTest
  @ValueSource(strings = {"(?s)^.*?\\.chart \\{", "(?s)^.*?dark\\) \\{\\s*\\.chart \\{"})
  void isLegibleOnLightAndOnDarkGround(String beginning) {
    Map<String, String> colors = colors(PLOT.svg().replaceFirst(beginning, "").split("}", 2)[0]);

    String ground = colors.get("ground");
    assertThat(contrast(colors.get("ink"), ground)).isGreaterThan(4.5);
    for (String bar : List.of("reached", "missed")) {
      assertThat(contrast(colors.get("ink"), colors.get(bar))).as(bar).isGreaterThan(4.5);
    }
    for (String line : List.of("first", "second")) {
      assertThat(contrast(colors.get(line), ground)).as(line).isGreaterThan(3);
    }
  }

  @Test
  void nothingHasAColorOfItsOwn() {
    Bars bars = new Bars("bench", List.of(new Bars.Bar("row", 1.2, "12 of 10")));

    for (String svg : List.of(PLOT.svg(), bars.svg())) {
      assertThat(svg).doesNotContain("fill=\"", "stroke=\"").contains("class=\"ground\"");
    }
  }

  private static Map<String, String> colors(String declarations) {
    return Pattern.compile("--(\\w+): (#\\w{6});")
        .matcher(declarations)
        .results()
        .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
  }

  private static double contrast(String one, String other) {
    double lighter = Math.max(luminance(one), luminance(other));
    double darker = Math.min(luminance(one), luminance(other));
    return (lighter + 0.05) / (darker + 0.05);
  }

  private static double luminance(String color) {
    int rgb = Integer.parseInt(color.substring(1), 16);
    return 0.2126 * linear(rgb >> 16)
        + 0.7152 * linear(rgb >> 8 & 0xff)
        + 0.0722 * linear(rgb & 0xff);
  }

  private static double linear(int part) {
    double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  }

  @Test
  void saysWhatWasRun() {
    assertThat(PLOT.svg())
        .containsSubsequence(">udp-write-1m</text>", ">MTU 1024</text>", ">MiB/s</text>");
  }
}
