// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.tools.recording.CallResults;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Formats results of calls as lines: refusals always, other results only for queries. */
final class ResultFormatter {
  private ResultFormatter() {}

  static List<String> of(String verb, ObjectNode answer) {
    List<String> lines = new ArrayList<>();
    boolean isRefused = answer.has(CallResults.WHY);
    if (isRefused) {
      lines.add("refused: " + answer.get(CallResults.WHY).asText());
    } else if (verb.startsWith("query_")) {
      lines.add(fields(answer));
    } else if (verb.equals("rereg_mr") && !answer.path(CallResults.RET).asText().equals("0")) {
      lines.add("refused: " + fields(answer));
    }
    return lines;
  }

  private static String fields(ObjectNode answer) {
    StringJoiner text = new StringJoiner(" ");
    addFields(answer, text);
    return text.toString();
  }

  private static void addFields(ObjectNode answer, StringJoiner text) {
    answer
        .properties()
        .forEach(
            field -> {
              if (field.getKey().equals("attr")) {
                addFields((ObjectNode) field.getValue(), text);
              } else if (!field.getKey().equals(CallResults.RET)) {
                text.add(field.getKey() + "=" + value(field.getValue()));
              }
            });
  }

  static String value(JsonNode value) {
    if (value instanceof ObjectNode inner) {
      return "{" + fields(inner) + "}";
    }
    if (value instanceof ArrayNode flags) {
      StringJoiner joined = new StringJoiner("|");
      flags.forEach(flag -> joined.add(flag.asText()));
      return flags.isEmpty() ? "none" : joined.toString();
    }
    return value.asText();
  }
}
