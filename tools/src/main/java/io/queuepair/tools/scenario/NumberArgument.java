// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/** Parses numbers of statements and checks their range. */
final class NumberArgument {
  private NumberArgument() {}

  /** Parses a number: decimal, {@code 0x} hexadecimal or {@code 0} octal. */
  static int of(String what, String text, int least, int most) {
    try {
      return (int) within(what, Long.decode(text), least, most);
    } catch (NumberFormatException malformed) {
      throw refused(what, text, least, most);
    }
  }

  /** Parses decimal digits. */
  static long ofDigits(String what, String digits, long most) {
    try {
      return within(what, Long.parseLong(digits), 0, most);
    } catch (NumberFormatException tooLong) {
      throw refused(what, digits, 0, most);
    }
  }

  private static long within(String what, long number, long least, long most) {
    if (number < least || number > most) {
      throw refused(what, "" + number, least, most);
    }
    return number;
  }

  private static StatementException refused(String what, String text, long least, long most) {
    return new StatementException(
        "'" + text + "' is not a number of " + what + " from " + least + " to " + most);
  }
}
