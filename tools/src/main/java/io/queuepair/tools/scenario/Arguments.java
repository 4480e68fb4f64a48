// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Parses arguments of the form {@code name=value}, where a name may contain dots. */
final class Arguments {
  private Arguments() {}

  static ObjectNode read(String device, List<String> words) {
    requireOnce(words);
    ObjectNode arguments = JsonNodeFactory.instance.objectNode();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals <= 0 || equals == word.length() - 1) {
        throw new StatementException("'" + word + "' is not an argument NAME=VALUE");
      }
      add(arguments, device, word.substring(0, equals), word.substring(equals + 1));
    }
    return arguments;
  }

  /** Refuses an argument that is given twice: only one value would be used. */
  static void requireOnce(List<String> words) {
    Set<String> names = new HashSet<>();
    for (String word : words) {
      String name = word.replaceFirst("=.*", "");
      if (name.length() < word.length() && !names.add(name)) {
        throw new StatementException("the argument '" + name + "' is there twice");
      }
    }
  }

  private static void add(ObjectNode arguments, String device, String name, String value) {
    if (name.equals("remote")) {
      addRemote(arguments, device, value);
      return;
    }
    ObjectNode target = arguments;
    String rest = name;
    for (int dot = rest.indexOf('.'); dot > 0; dot = rest.indexOf('.')) {
      String outer = rest.substring(0, dot);
      if (target.has(outer) && !target.get(outer).isObject()) {
        throw new StatementException("argument '" + name + "': '" + outer + "' has no parts");
      }
      target = target.withObjectProperty(outer);
      rest = rest.substring(dot + 1);
    }
    try {
      target.set(rest, ArgumentType.of(rest).read(device, value));
    } catch (StatementException exception) {
      throw new StatementException(
          "argument '" + name + "': " + exception.getMessage() + ArgumentType.suggestion(rest));
    }
  }

  /** Adds address and key of peer memory, given as {@code b.mr+64}. */
  private static void addRemote(ObjectNode arguments, String device, String value) {
    int plus = value.indexOf('+');
    String region = plus < 0 ? value : value.substring(0, plus);
    if (!region.matches("\\w+\\.\\w+")) {
      throw new StatementException("'" + value + "' is not REGION or REGION+OFFSET of a peer");
    }
    String offset = plus < 0 ? "" : value.substring(plus);
    arguments.set("remote_addr", ArgumentType.NUMBER.read(device, region + ".addr" + offset));
    if (!arguments.has("rkey")) {
      arguments.set("rkey", ArgumentType.NUMBER.read(device, region + ".rkey"));
    }
  }

  static void addDefaults(ObjectNode arguments, ObjectNode defaults) {
    defaults
        .properties()
        .forEach(
            field -> {
              if (!arguments.has(field.getKey())) {
                arguments.set(field.getKey(), field.getValue().deepCopy());
              } else if (field.getValue() instanceof ObjectNode inner
                  && arguments.get(field.getKey()) instanceof ObjectNode given) {
                addDefaults(given, inner);
              }
            });
  }
}
