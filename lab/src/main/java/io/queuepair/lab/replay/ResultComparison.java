// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares all fields of the results of one call, except durations. */
final class ResultComparison {
  /** Text for a field or completion that only one of the results has. */
  static final String ABSENT = "absent";

  /** Durations: measured in real time on a slow machine. */
  private static final Set<String> NOT_COMPARED = Set.of("ms", "seconds");

  private final String scenario;
  private final Step step;
  private final List<Difference> differences = new ArrayList<>();

  private ResultComparison(String scenario, Step step) {
    this.scenario = scenario;
    this.step = step;
  }

  /** Finds all differences between a result of the emulator and the recorded one. */
  static List<Difference> of(String scenario, Step step, ObjectNode ours) {
    ResultComparison resultComparison = new ResultComparison(scenario, step);
    if (step.result() == null) {
      if (!ours.isEmpty()) {
        resultComparison.add("", ABSENT, text(ours));
      }
    } else {
      resultComparison.compare("", step.result(), ours);
    }
    return resultComparison.differences;
  }

  private void compare(String field, JsonNode recorded, JsonNode ours) {
    if (recorded instanceof ObjectNode a && ours instanceof ObjectNode b) {
      compareObjects(field, a, b);
    } else if (isListOfObjects(recorded) || isListOfObjects(ours)) {
      compareLists(field, recorded, ours);
    } else if (!text(recorded).equals(text(ours))) {
      add(field, text(recorded), text(ours));
    }
  }

  private void compareObjects(String field, ObjectNode recorded, ObjectNode ours) {
    Set<String> names = new TreeSet<>();
    addNames(recorded, names);
    addNames(ours, names);
    names.removeAll(NOT_COMPARED);
    for (String name : names) {
      compare(field.isEmpty() ? name : field + "." + name, recorded.get(name), ours.get(name));
    }
  }

  private static void addNames(ObjectNode node, Set<String> names) {
    for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
      names.add(fields.next());
    }
  }

  private void compareLists(String field, JsonNode recorded, JsonNode ours) {
    int length = Math.max(size(recorded), size(ours));
    for (int i = 0; i < length; i++) {
      compare(
          field + "[" + i + "]",
          recorded == null ? null : recorded.get(i),
          ours == null ? null : ours.get(i));
    }
  }

  private static int size(JsonNode list) {
    return list == null ? 0 : list.size();
  }

  private static boolean isListOfObjects(JsonNode node) {
    return node instanceof ArrayNode && !node.isEmpty() && node.get(0).isObject();
  }

  private void add(String field, String recorded, String ours) {
    differences.add(new Difference(scenario, step.number(), step.call(), field, recorded, ours));
  }

  /** Text of a value in reports and rules; flags are a sorted set. */
  static String text(JsonNode node) {
    if (node == null) {
      return ABSENT;
    }
    if (node instanceof ArrayNode) {
      Set<String> flags = new TreeSet<>();
      node.forEach(flag -> flags.add(flag.isValueNode() ? flag.asText() : flag.toString()));
      return flags.isEmpty() ? "none" : String.join("|", flags);
    }
    if (node instanceof ObjectNode completion && node.has("wr_id") && node.has("status")) {
      return completionText(completion);
    }
    if (node.isTextual()) {
      return node.textValue().isEmpty() ? "empty" : node.textValue();
    }
    return node.toString();
  }

  /** Text of a completion that only one of the results has: the fields that are not empty. */
  private static String completionText(ObjectNode completion) {
    StringBuilder text = new StringBuilder(completion.get("wr_id").asText());
    text.append(' ').append(text(completion.get("status")));
    Set<String> names = new TreeSet<>();
    addNames(completion, names);
    names.removeAll(Set.of("wr_id", "status"));
    for (String name : names) {
      String value = text(completion.get(name));
      if (!value.equals("0") && !value.equals("none") && !value.equals("00000000")) {
        text.append(' ').append(name).append('=').append(value);
      }
    }
    return text.toString();
  }
}
