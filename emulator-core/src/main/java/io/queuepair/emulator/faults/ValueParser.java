// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.wire.HeaderField;
import io.queuepair.emulator.wire.MadField;
import io.queuepair.emulator.wire.PacketField;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses numbers, times, hosts and names of a plan. */
final class ValueParser {
  private static final Pattern ORDINAL = Pattern.compile("([1-9]\\d{0,17})(?:st|nd|rd|th)");
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,15})?)%");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,20}");
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-f]{1,16}");
  private static final String RANGE = "..";

  private final Tokenizer tokenizer;

  ValueParser(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
  }

  long seed() {
    try {
      long seed = Long.parseLong(tokenizer.word());
      tokenizer.advance();
      return seed;
    } catch (NumberFormatException none) {
      FaultSyntaxException exception = tokenizer.unexpected("a whole number of 64 bits");
      exception.initCause(none);
      throw exception;
    }
  }

  /** Parses an unsigned number from 0 to the largest one. */
  long number(long largest) {
    long number = numberOf(tokenizer.word(), largest);
    tokenizer.advance();
    return number;
  }

  /** Parses a number after its sign character, which it lacks if {@code sign} is 0. */
  long signed(int sign, long largest) {
    String word = tokenizer.word();
    long number = numberOf(sign == 0 ? word : word.substring(1), largest);
    tokenizer.advance();
    return number;
  }

  private long numberOf(String text, long largest) {
    String range = "a number of 0 to " + Long.toUnsignedString(largest);
    boolean isHexadecimal = HEXADECIMAL.matcher(text).matches();
    if (!isHexadecimal && !DECIMAL.matcher(text).matches()) {
      throw tokenizer.unexpected(range);
    }
    try {
      long number =
          isHexadecimal
              ? Long.parseUnsignedLong(text.substring(2), 16)
              : Long.parseUnsignedLong(text);
      if (Long.compareUnsigned(number, largest) <= 0) {
        return number;
      }
      throw tokenizer.unexpected(range);
    } catch (NumberFormatException tooLarge) {
      FaultSyntaxException exception = tokenizer.unexpected(range);
      exception.initCause(tooLarge);
      throw exception;
    }
  }

  /** Parses a number or a range such as {@code 3..7}. */
  long[] range(long largest) {
    String word = tokenizer.word();
    int dots = word.indexOf(RANGE);
    long first = numberOf(dots < 0 ? word : word.substring(0, dots), largest);
    long last = dots < 0 ? first : numberOf(word.substring(dots + RANGE.length()), largest);
    tokenizer.advance();
    return new long[] {first, last};
  }

  long nanos() {
    long nanos = DurationFormat.of(tokenizer.word());
    if (nanos < 0) {
      throw tokenizer.unexpected("a time such as 20us, in ns, us, ms or s");
    }
    tokenizer.advance();
    return nanos;
  }

  /** Parses a time other than zero. */
  long someNanos() {
    if (DurationFormat.of(tokenizer.word()) == 0) {
      throw tokenizer.unexpected("a time that is more than zero");
    }
    return nanos();
  }

  /** Parses {@code at TIME for TIME}; without both, the condition always holds. */
  Condition.During during() {
    long at = tokenizer.accept("at") ? nanos() : 0;
    return new Condition.During(at, tokenizer.accept("for") ? someNanos() : 0);
  }

  InetAddress host() {
    try {
      InetAddress host = IpAddress.parse(tokenizer.exact());
      tokenizer.advance();
      return host;
    } catch (IllegalArgumentException none) {
      FaultSyntaxException exception = tokenizer.unexpected("an IP address");
      exception.initCause(none);
      throw exception;
    }
  }

  PacketField field() {
    PacketField field = fieldNamed(tokenizer.word());
    if (field == null) {
      throw tokenizer.unexpected("a header field: " + fieldNames());
    }
    tokenizer.advance();
    return field;
  }

  static @Nullable PacketField fieldNamed(String name) {
    PacketField field = HeaderField.named(name);
    return field == null ? MadField.named(name) : field;
  }

  static String fieldNames() {
    return Arrays.stream(HeaderField.values())
        .map(HeaderField::toString)
        .collect(
            Collectors.joining(", ", "", ", or one of a MAD such as mad_status, cm_local_comm_id"));
  }

  /** Parses which matches are selected; all, if the plan does not say. */
  MatchCount matchCount() {
    if (tokenizer.accept("every")) {
      return new MatchCount.Every(ordinal());
    }
    if (tokenizer.accept("first")) {
      return new MatchCount.Range(1, atLeastOne());
    }
    Matcher percent = PERCENT.matcher(tokenizer.word());
    if (percent.matches()) {
      return share(percent.group(1));
    }
    String word = tokenizer.word();
    int dots = word.indexOf(RANGE);
    boolean isOrdinal = ORDINAL.matcher(dots < 0 ? word : word.substring(0, dots)).matches();
    return isOrdinal ? ordinals(word, dots) : new MatchCount.All();
  }

  private MatchCount share(String percent) {
    double probability = new BigDecimal(percent).movePointLeft(2).doubleValue();
    if (probability > 1) {
      throw tokenizer.unexpected("a probability of 0% to 100%");
    }
    tokenizer.advance();
    return new MatchCount.Probability(probability);
  }

  private MatchCount ordinals(String word, int dots) {
    long first = ordinalOf(dots < 0 ? word : word.substring(0, dots));
    long last = first;
    if (dots >= 0) {
      String end = word.substring(dots + RANGE.length());
      last = end.isEmpty() ? MatchCount.Range.OPEN : ordinalOf(end);
    }
    if (last < first) {
      throw tokenizer.unexpected("a range whose end is not before its beginning");
    }
    tokenizer.advance();
    return new MatchCount.Range(first, last);
  }

  private long ordinal() {
    long ordinal = ordinalOf(tokenizer.word());
    tokenizer.advance();
    return ordinal;
  }

  private long ordinalOf(String text) {
    Matcher matcher = ORDINAL.matcher(text);
    if (!matcher.matches()) {
      throw tokenizer.unexpected("a place such as 3rd");
    }
    return Long.parseLong(matcher.group(1));
  }

  private long atLeastOne() {
    if (tokenizer.word().equals("0")) {
      throw tokenizer.unexpected("a number of at least 1");
    }
    return number(MatchCount.Range.OPEN - 1);
  }
}
