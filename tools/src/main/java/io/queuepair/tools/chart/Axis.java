// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The vertical axis of a plot: its ticks are 1, 2 and 5 times powers of ten. Values that differ by
 * large factors stand on a logarithmic axis, others on one that begins at 0.
 *
 * @param isLogarithmic whether equal distances are equal factors
 * @param ticks the values that have a line, from the bottom to the top; at least two
 */
record Axis(boolean isLogarithmic, List<BigDecimal> ticks) {
  private static final int LARGE_FACTOR = 20;
  private static final int MOST_TICKS = 10;
  private static final int STEPS = 5;
  private static final int[] MANTISSAS = {1, 2, 5};

  /**
   * The axis for some values.
   *
   * @param values those that are not above 0 stand at the bottom
   */
  static Axis of(List<Double> values) {
    List<Double> positive = values.stream().filter(value -> value > 0).sorted().toList();
    if (positive.isEmpty()) {
      return linear(1);
    }
    double least = positive.get(0);
    double most = positive.get(positive.size() - 1);
    return most / least >= LARGE_FACTOR ? logarithmic(least, most) : linear(most);
  }

  private static Axis linear(double most) {
    BigDecimal step = roundedUp(most / STEPS);
    BigDecimal last = BigDecimal.valueOf(most).divide(step, 0, RoundingMode.CEILING);
    List<BigDecimal> ticks = new ArrayList<>();
    for (int i = 0; i <= last.intValueExact(); i++) {
      ticks.add(step.multiply(BigDecimal.valueOf(i)));
    }
    return new Axis(false, ticks);
  }

  private static Axis logarithmic(double least, double most) {
    List<BigDecimal> ticks = new ArrayList<>();
    for (int exponent = exponent(least); ticks.isEmpty() || last(ticks) < most; exponent++) {
      for (int mantissa : MANTISSAS) {
        BigDecimal tick = BigDecimal.valueOf(mantissa).scaleByPowerOfTen(exponent);
        if (ticks.isEmpty() || last(ticks) < most) {
          ticks.add(tick);
        }
      }
    }
    while (ticks.get(1).doubleValue() <= least) {
      ticks.remove(0);
    }
    if (ticks.size() <= MOST_TICKS) {
      return new Axis(true, ticks);
    }
    List<BigDecimal> tens = new ArrayList<>();
    for (int exponent = exponent(least); tens.isEmpty() || last(tens) < most; exponent++) {
      tens.add(BigDecimal.ONE.scaleByPowerOfTen(exponent));
    }
    return new Axis(true, tens);
  }

  private static double last(List<BigDecimal> ticks) {
    return ticks.get(ticks.size() - 1).doubleValue();
  }

  private static int exponent(double value) {
    return (int) Math.floor(Math.log10(value));
  }

  /** The least of 1, 2 and 5 times a power of ten that is not below a value. */
  private static BigDecimal roundedUp(double value) {
    int exponent = exponent(value);
    for (int mantissa : MANTISSAS) {
      BigDecimal rounded = BigDecimal.valueOf(mantissa).scaleByPowerOfTen(exponent);
      if (rounded.doubleValue() >= value) {
        return rounded;
      }
    }
    return BigDecimal.ONE.scaleByPowerOfTen(exponent + 1);
  }

  /** Where a value stands: 0 at the bottom, 1 at the top. */
  double share(double value) {
    double bottom = ticks.get(0).doubleValue();
    double top = last(ticks);
    return isLogarithmic
        ? Math.log(Math.max(value, bottom) / bottom) / Math.log(top / bottom)
        : value / top;
  }

  static String label(BigDecimal tick) {
    return tick.signum() == 0 ? "0" : tick.stripTrailingZeros().toPlainString();
  }
}
