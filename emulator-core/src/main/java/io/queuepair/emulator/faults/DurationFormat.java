// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and prints times of the plan language, such as {@code 20us}. */
final class DurationFormat {
  private static final Pattern TIME = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ns|us|ms|s)");

  /** Longest time: a hundred days, in nanoseconds. */
  private static final long MAX = 100L * 24 * 3_600 * 1_000_000_000L;

  private DurationFormat() {}

  /** Parses a time into nanoseconds; -1 if the text is no time, or one above {@link #MAX}. */
  static long of(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      return -1;
    }
    BigDecimal nanos =
        new BigDecimal(matcher.group(1))
            .movePointRight(3 * unit(matcher.group(2)))
            .stripTrailingZeros();
    return nanos.scale() > 0 || nanos.compareTo(BigDecimal.valueOf(MAX)) > 0
        ? -1
        : nanos.longValueExact();
  }

  private static int unit(String name) {
    return switch (name) {
      case "ns" -> 0;
      case "us" -> 1;
      case "ms" -> 2;
      default -> 3;
    };
  }

  /** Formats a time in the largest unit of which it is a whole number. */
  static String text(long nanos) {
    String[] units = {"ns", "us", "ms", "s"};
    long value = nanos;
    int unit = 0;
    while (unit < units.length - 1 && value != 0 && value % 1_000 == 0) {
      value /= 1_000;
      unit++;
    }
    return value + units[unit];
  }
}
