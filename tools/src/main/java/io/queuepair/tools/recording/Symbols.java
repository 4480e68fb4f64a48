// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values that differ from run to run, which recordings write as symbols: {@code $B.mr.rkey}, {@code
 * $A.qp.num}, {@code $B.gid1}; and expressions of symbols, evaluated from left to right, such as
 * {@code $B.mr.rkey&0xffffff00|0x42}.
 */
public final class Symbols {
  private static final Pattern TERM =
      Pattern.compile("([-+^|&])?(\\$[A-Za-z]\\w*(?:\\.\\w+)+|0x[0-9a-fA-F]{1,16}|[0-9]{1,20})");

  private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final Map<String, Long> numbers = new LinkedHashMap<>();
  private final Map<String, Gid> gids = new LinkedHashMap<>();

  /** Defines the value of a symbol, replacing an earlier one. */
  public void define(String symbol, long value) {
    numbers.put(symbol, value);
  }

  public void define(String symbol, Gid gid) {
    gids.put(symbol, gid);
  }

  /** Evaluates terms joined by {@code + - ^ | &}, from left to right. */
  public long number(String expression) {
    Matcher term = TERM.matcher(expression);
    long value = 0;
    int end = 0;
    while (end < expression.length()) {
      if (!term.find() || term.start() != end || (term.group(1) == null) != (end == 0)) {
        throw new WrongCallException("'" + expression + "' is not a value");
      }
      value = apply(end == 0 ? "+" : term.group(1), value, operand(term.group(2)));
      end = term.end();
    }
    return value;
  }

  private static long apply(String operator, long left, long right) {
    return switch (operator) {
      case "+" -> left + right;
      case "-" -> left - right;
      case "^" -> left ^ right;
      case "|" -> left | right;
      case "&" -> left & right;
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private long operand(String text) {
    if (text.startsWith("$")) {
      Long value = numbers.get(text);
      if (value == null) {
        throw new MissingObjectException(text);
      }
      return value;
    }
    try {
      return text.startsWith("0x")
          ? Long.parseUnsignedLong(text.substring(2), 16)
          : Long.parseUnsignedLong(text);
    } catch (NumberFormatException tooLarge) {
      throw new WrongCallException(text + " has more than 64 bits");
    }
  }

  /** First symbol with a value, prefix and suffix, as {@code $A.} and {@code .num}; or null. */
  public String nameOf(String prefix, String suffix, long value) {
    for (Map.Entry<String, Long> named : numbers.entrySet()) {
      String name = named.getKey();
      if (named.getValue() == value && name.startsWith(prefix) && name.endsWith(suffix)) {
        return name;
      }
    }
    return null;
  }

  /** Returns the GID of a symbol, or parses an IPv6 address. */
  public Gid gid(String text) {
    Gid named = gids.get(text);
    if (named != null) {
      return named;
    }
    if (!ADDRESS.matcher(text).matches()) {
      throw new WrongCallException(text + " is not a GID");
    }
    try {
      return Gid.of(InetAddress.getByName(text));
    } catch (UnknownHostException malformed) {
      throw new WrongCallException(text + " is not a GID");
    }
  }
}
