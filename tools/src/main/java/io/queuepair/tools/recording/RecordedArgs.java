// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.tools.cli.Suggestion;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.VerbsConstant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Arguments of a recorded call, with symbols resolved. */
public final class RecordedArgs {
  private final String what;
  private final ObjectNode node;
  private final Symbols symbols;

  /**
   * Wraps arguments.
   *
   * @param what name of the call, for messages
   */
  public RecordedArgs(String what, ObjectNode node, Symbols symbols) {
    this.what = what;
    this.node = node;
    this.symbols = symbols;
  }

  /** Refuses arguments with other names, which would be ignored. */
  public RecordedArgs allow(String... known) {
    Set<String> names = Set.of(known);
    for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!names.contains(field)) {
        throw new WrongCallException(
            "%s: argument '%s' is not known%s; there are %s"
                .formatted(what, field, Suggestion.of(field, names), new TreeSet<>(names)));
      }
    }
    return this;
  }

  public boolean has(String field) {
    return node.hasNonNull(field);
  }

  public boolean isText(String field) {
    return has(field) && node.get(field).isTextual();
  }

  public String text(String field) {
    JsonNode value = node.get(field);
    if (value == null || !value.isTextual()) {
      throw new WrongCallException(what + ": '" + field + "' is not text");
    }
    return value.textValue();
  }

  /** Returns a 64-bit number; unsigned ones keep their bits. */
  public long number(String field) {
    JsonNode value = node.get(field);
    if (value != null && value.isTextual()) {
      return symbols.number(value.textValue());
    }
    if (value == null
        || !value.isIntegralNumber()
        || value.bigIntegerValue().bitLength() > Long.SIZE) {
      throw new WrongCallException(what + ": '" + field + "' is not a number");
    }
    return value.bigIntegerValue().longValue();
  }

  public long number(String field, long ifAbsent) {
    return has(field) ? number(field) : ifAbsent;
  }

  /** Returns a number whose C type has 32 bits, signed or not. */
  public int int32(String field) {
    long value = number(field);
    if (value < Integer.MIN_VALUE || value >= 1L << Integer.SIZE) {
      throw new WrongCallException(what + ": '" + field + "' has more than 32 bits");
    }
    return (int) value;
  }

  public int int32(String field, int ifAbsent) {
    return has(field) ? int32(field) : ifAbsent;
  }

  public boolean flag(String field) {
    JsonNode value = node.get(field);
    return has(field) && (value.isBoolean() ? value.booleanValue() : number(field) != 0);
  }

  /** Parses one to eight hexadecimal digits, with or without 0x. */
  public static int hex(String text) {
    String digits = text.replaceFirst("^0x", "");
    if (!digits.matches("[0-9a-fA-F]{1,8}")) {
      throw new WrongCallException("'" + text + "' is not up to 8 hexadecimal digits");
    }
    return Integer.parseUnsignedInt(digits, 16);
  }

  /** Returns a time, in seconds, as nanoseconds. */
  public long nanos(String field, double secondsIfAbsent) {
    JsonNode value = node.get(field);
    if (value != null && !value.isNumber()) {
      throw new WrongCallException(what + ": '" + field + "' is not a number of seconds");
    }
    double seconds = value == null ? secondsIfAbsent : value.doubleValue();
    if (!(seconds >= 0 && seconds < 100_000)) {
      throw new WrongCallException(what + ": '" + field + "' is not 0 to 100000 seconds");
    }
    return Math.round(seconds * 1e9);
  }

  public Gid gid(String field) {
    return symbols.gid(text(field));
  }

  public RecordedArgs inner(String field) {
    if (node.get(field) instanceof ObjectNode inner) {
      return new RecordedArgs(what + "." + field, inner, symbols);
    }
    throw new WrongCallException(what + ": '" + field + "' is not an object");
  }

  public List<RecordedArgs> list(String field) {
    if (!(node.get(field) instanceof ArrayNode array)) {
      throw new WrongCallException(what + ": '" + field + "' is not a list");
    }
    List<RecordedArgs> list = new ArrayList<>();
    for (JsonNode element : array) {
      if (!(element instanceof ObjectNode inner)) {
        throw new WrongCallException(what + ": '" + field + "' does not hold objects");
      }
      list.add(new RecordedArgs(what + "." + field + "[" + list.size() + "]", inner, symbols));
    }
    return list;
  }

  /** Returns a constant, given by name or by its C value. */
  public <E extends Enum<E> & VerbsConstant> E constant(Class<E> type, String field) {
    JsonNode value = node.get(field);
    if (value == null) {
      throw new WrongCallException(what + ": '" + field + "' is missing");
    }
    for (E constant : type.getEnumConstants()) {
      boolean isIt =
          value.isTextual()
              ? constant.name().equals(value.textValue())
              : value.isIntegralNumber() && value.asLong() == constant.code();
      if (isIt) {
        return constant;
      }
    }
    throw new UnmappedValueException(
        field + " " + value.asText() + " is no constant of " + named(type));
  }

  /** Returns flags, given as a list of names or as a C mask. */
  public <E extends Enum<E> & VerbsConstant> Set<E> flags(Class<E> type, String field) {
    return flags(type, field, 0, "");
  }

  /** Returns flags; bits of the C mask {@code optional} without a constant are ignored. */
  public <E extends Enum<E> & VerbsConstant> Set<E> flags(
      Class<E> type, String field, int optional) {
    return flags(type, field, optional, "");
  }

  /** Returns flags that are recorded without a prefix of their names. */
  public <E extends Enum<E> & VerbsConstant> Set<E> flags(
      Class<E> type, String field, String prefix) {
    return flags(type, field, 0, prefix);
  }

  private <E extends Enum<E> & VerbsConstant> Set<E> flags(
      Class<E> type, String field, int optional, String prefix) {
    JsonNode value = node.get(field);
    Set<E> flags = EnumSet.noneOf(type);
    if (value instanceof ArrayNode names) {
      for (JsonNode name : names) {
        flags.add(flag(type, field, prefix + name.asText()));
      }
      return flags;
    }
    long mask = number(field);
    flags.addAll(VerbsConstant.flags(type, (int) mask));
    long left = mask & ~Integer.toUnsignedLong(VerbsConstant.mask(flags) | optional);
    if (left != 0) {
      throw new UnmappedValueException(
          field + " 0x" + Long.toHexString(left) + " is no flag of " + type.getSimpleName());
    }
    return flags;
  }

  private static <E extends Enum<E>> E flag(Class<E> type, String field, String name) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw new UnmappedValueException(field + " " + name + " is no flag of " + named(type));
  }

  private static String named(Class<? extends Enum<?>> type) {
    return type.getSimpleName() + ", which has " + Arrays.toString(type.getEnumConstants());
  }
}
