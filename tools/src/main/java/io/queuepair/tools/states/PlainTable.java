package io.queuepair.tools.states;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The table for a terminal: no line is longer than 80 characters. */
final class PlainTable {
  private static final int WIDTH = 80;

  private PlainTable() {}

  static List<String> of(TransitionTable table, Set<QpType> types) {
    List<String> lines = new ArrayList<>();
    for (QpType type : types) {
      lines.add(type.name());
      for (Transition row : table.rows()) {
        if (row.type() == type) {
          addRow(lines, row);
        }
      }
    }
    return lines;
  }

  private static void addRow(List<String> lines, Transition row) {
    StringBuilder line = new StringBuilder(String.format("  %-5s -> %-5s  ", row.from(), row.to()));
    int indent = line.length();
    for (String word : words(row)) {
      if (line.length() + word.length() > WIDTH) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(" ".repeat(indent));
      }
      line.append(word).append(' ');
    }
    lines.add(line.toString().stripTrailing());
  }

  private static List<String> words(Transition row) {
    List<String> words = new ArrayList<>();
    row.required().forEach(attribute -> words.add(attribute.name()));
    if (!row.optional().isEmpty()) {
      words.addAll(List.of(bracketed(row.optional()).split(" ", -1)));
    }
    return words;
  }

  private static String bracketed(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(" ", "[", "]"));
  }
}
