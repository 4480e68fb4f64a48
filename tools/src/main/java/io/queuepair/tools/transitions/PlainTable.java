// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.states.StatePicture;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Formats the table for a terminal with lines of at most 80 characters. */
final class PlainTable {
  private static final int WIDTH = 80;

  private PlainTable() {}

  static List<String> of(TransitionTable table, Set<QpType> types) {
    List<String> lines = new ArrayList<>();
    for (QpType type : types) {
      lines.add(type.name());
      for (Transition transition : table.rows()) {
        if (transition.type() == type) {
          addRow(lines, transition);
        }
      }
    }
    return lines;
  }

  /** Adds a row: required attributes on the first line, optional ones on further lines. */
  private static void addRow(List<String> lines, Transition transition) {
    String states = String.format("  %-5s -> %-5s  ", transition.from(), transition.to());
    List<String> required = transition.required().stream().map(Enum::name).toList();
    List<String> optional =
        transition.optional().isEmpty()
            ? List.of()
            : List.of(
                transition.optional().stream()
                    .map(Enum::name)
                    .collect(Collectors.joining(" ", "[", "]"))
                    .split(" ", -1));
    List<String> cells = new ArrayList<>(StatePicture.wrapped(required, WIDTH - states.length()));
    cells.addAll(StatePicture.wrapped(optional, WIDTH - states.length()));
    if (cells.isEmpty()) {
      lines.add(states.stripTrailing());
    }
    for (int i = 0; i < cells.size(); i++) {
      lines.add((i == 0 ? states : " ".repeat(states.length())) + cells.get(i));
    }
  }
}
