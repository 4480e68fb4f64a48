// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.page.PageTemplate;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Page of documentation about the states: a table and a diagram for each type. */
final class StatePage {
  private StatePage() {}

  static List<String> of(TransitionTable table, Set<QpType> types) {
    List<String> lines = new ArrayList<>();
    for (QpType type : types) {
      lines.addAll(lines.isEmpty() ? List.of() : List.of(""));
      lines.addAll(section(table, type));
    }
    return PageTemplate.filled(StatePage.class, "qp-state-machine.md", Map.of("types", lines));
  }

  private static List<String> section(TransitionTable table, QpType type) {
    List<String> lines = new ArrayList<>();
    lines.addAll(List.of("## " + type, "", "| from | to | required | optional |"));
    lines.add("|---|---|---|---|");
    for (Transition transition : table.rows()) {
      if (transition.type() == type) {
        lines.add(row(transition));
      }
    }
    lines.addAll(List.of("", "```mermaid"));
    lines.addAll(StateDiagram.mermaid(table, type));
    lines.add("```");
    return lines;
  }

  private static String row(Transition transition) {
    String cells =
        String.join(
            " | ",
            transition.from().name(),
            transition.to().name(),
            names(transition.required()),
            names(transition.optional()));
    return "| " + cells + " |";
  }

  private static String names(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(", "));
  }
}
