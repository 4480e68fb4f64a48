// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.queuepair.tools.cli.Suggestion;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Syntax of an argument's value, with its conversion for the call. */
enum ArgumentType {
  /** Number, or terms joined by {@code + - ^ | &}, some of which may be numbers of objects. */
  NUMBER,

  /** Word that is passed on unchanged: a constant, or hexadecimal digits. */
  WORD,

  /** Constants joined by {@code |}, or {@code none}. */
  FLAGS,

  /** Object of the same device. */
  OBJECT,

  /** GID of a device, such as {@code b.gid0}, or an IPv6 address. */
  GID,

  /** Address vector, given as its destination GID. */
  ADDRESS,

  /** Path MTU in bytes. */
  MTU,

  /** Parts of memory regions: {@code a.mr+64:32} is 32 bytes from byte 64 on. */
  SGES;

  private static final Pattern OF_OBJECT = Pattern.compile("[A-Za-z]\\w*(?:\\.\\w+)+");
  private static final Pattern NUMBERS =
      Pattern.compile("(?:[-+^|&]?(?:[A-Za-z]\\w*(?:\\.\\w+)+|0x[0-9a-fA-F]+|[0-9]+))+");
  private static final Pattern SMALL_NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern SGE =
      Pattern.compile("(\\w+)\\.(\\w+)(?:\\+([0-9]+))?:([0-9]+)(?:@(.+))?");

  private static final Map<String, ArgumentType> OF_NAME =
      Map.ofEntries(
          Map.entry("state", WORD),
          Map.entry("cur_state", WORD),
          Map.entry("type", WORD),
          Map.entry("opcode", WORD),
          Map.entry("path_mig_state", WORD),
          Map.entry("imm", WORD),
          Map.entry("hex", WORD),
          Map.entry("pkey_be", WORD),
          Map.entry("flags", FLAGS),
          Map.entry("access", FLAGS),
          Map.entry("rflags", FLAGS),
          Map.entry("dst_mac", WORD),
          Map.entry("send_ops", FLAGS),
          Map.entry("qp", OBJECT),
          Map.entry("pd", OBJECT),
          Map.entry("scq", OBJECT),
          Map.entry("rcq", OBJECT),
          Map.entry("srq", OBJECT),
          Map.entry("xrcd", OBJECT),
          Map.entry("cq", OBJECT),
          Map.entry("channel", OBJECT),
          Map.entry("mr", OBJECT),
          Map.entry("mw", OBJECT),
          Map.entry("ah", OBJECT),
          Map.entry("dgid", GID),
          Map.entry("gid", GID),
          Map.entry("av", ADDRESS),
          Map.entry("alt_av", ADDRESS),
          Map.entry("path_mtu", MTU),
          Map.entry("sge", SGES));

  /** Suggests a name for an unknown argument whose value is no number; empty if there is none. */
  static String suggestion(String argument) {
    return OF_NAME.containsKey(argument) ? "" : Suggestion.of(argument, OF_NAME.keySet());
  }

  /** Syntax of the value of an argument, by its name. */
  static ArgumentType of(String argument) {
    return OF_NAME.getOrDefault(argument, NUMBER);
  }

  JsonNode read(String device, String value) {
    return switch (this) {
      case NUMBER -> number(value);
      case WORD -> TextNode.valueOf(value);
      case FLAGS -> flags(value);
      case OBJECT -> TextNode.valueOf(object(device, value));
      case GID -> gid(value);
      case ADDRESS -> JsonNodeFactory.instance.objectNode().set("dgid", gid(value));
      case MTU -> TextNode.valueOf("MTU_" + value);
      case SGES -> sges(device, value);
    };
  }

  private static JsonNode number(String value) {
    if (!NUMBERS.matcher(value).matches()) {
      throw new StatementException(
          "'" + value + "' is not a number, nor one of an object such as b.mr.rkey, b.qp.num");
    }
    if (SMALL_NUMBER.matcher(value).matches()) {
      return LongNode.valueOf(Long.parseLong(value));
    }
    return TextNode.valueOf(OF_OBJECT.matcher(value).replaceAll("\\$$0"));
  }

  private static JsonNode flags(String value) {
    ArrayNode names = JsonNodeFactory.instance.arrayNode();
    if (!value.equals("none")) {
      for (String name : value.split("\\|", -1)) {
        names.add(name);
      }
    }
    return names;
  }

  /** Name of an object without its device. */
  static String object(String device, String value) {
    if (!value.startsWith(device + ".") || !value.matches("\\w+(?:\\.\\w+)+")) {
      throw new StatementException(
          "'" + value + "' is not an object of device " + device + ": " + device + ".NAME");
    }
    return value.substring(device.length() + 1);
  }

  private static JsonNode gid(String value) {
    if (SMALL_NUMBER.matcher(value).matches()) {
      return LongNode.valueOf(Long.parseLong(value));
    }
    return TextNode.valueOf(OF_OBJECT.matcher(value).matches() ? "$" + value : value);
  }

  private static JsonNode sges(String device, String value) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (String part : value.equals("none") ? new String[0] : value.split(",", -1)) {
      Matcher sge = SGE.matcher(part);
      if (!sge.matches()) {
        throw new StatementException(
            "'" + part + "' is not REGION:BYTES or REGION+OFFSET:BYTES, such as a.mr+64:32");
      }
      ObjectNode entry = list.addObject();
      entry.put("mr", object(device, sge.group(1) + "." + sge.group(2)));
      entry.set("off", number(sge.group(3) == null ? "0" : sge.group(3)));
      entry.set("len", number(sge.group(4)));
      if (sge.group(5) != null) {
        entry.set("lkey", number(sge.group(5)));
      }
    }
    return list;
  }
}
