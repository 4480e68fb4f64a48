package io.queuepair.tools.states;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The transitions of one type as a graph. A state that every state leads to gets one arrow, from
 * "any".
 */
final class StateDiagram {
  private static final Set<QpState> STATES = EnumSet.complementOf(EnumSet.of(QpState.UNKNOWN));
  private static final String ANY = "any";

  private StateDiagram() {}

  /** One arrow of the graph. */
  private record Arrow(String from, QpState to, Set<QpAttrMask> required) {}

  static List<String> mermaid(TransitionTable table, QpType type) {
    List<String> lines = new ArrayList<>(List.of("stateDiagram-v2", "  direction LR"));
    lines.add("  [*] --> " + QpState.RESET);
    for (Arrow arrow : arrows(table, type)) {
      String label = names(arrow.required, "<br/>");
      String suffix = label.isEmpty() ? "" : ": " + label;
      lines.add("  " + arrow.from + " --> " + arrow.to + suffix);
    }
    return lines;
  }

  static List<String> dot(TransitionTable table, QpType type) {
    List<String> lines = new ArrayList<>(List.of("digraph " + type + " {", "  rankdir=LR;"));
    for (Arrow arrow : arrows(table, type)) {
      String label = names(arrow.required, "\\n");
      String suffix = label.isEmpty() ? "" : " [label=\"" + label + "\"]";
      lines.add("  " + arrow.from + " -> " + arrow.to + suffix + ";");
    }
    lines.add("}");
    return lines;
  }

  private static List<Arrow> arrows(TransitionTable table, QpType type) {
    Set<QpState> fromAnywhere = EnumSet.noneOf(QpState.class);
    for (QpState to : STATES) {
      if (STATES.stream().allMatch(from -> leads(table, type, from, to))) {
        fromAnywhere.add(to);
      }
    }
    List<Arrow> arrows = new ArrayList<>();
    for (Transition row : table.rows()) {
      if (row.type() == type && !fromAnywhere.contains(row.to())) {
        arrows.add(new Arrow(row.from().name(), row.to(), row.required()));
      }
    }
    fromAnywhere.forEach(to -> arrows.add(new Arrow(ANY, to, Set.of())));
    return arrows;
  }

  private static boolean leads(TransitionTable table, QpType type, QpState from, QpState to) {
    return table.find(type, from, to).map(row -> row.required().isEmpty()).orElse(false);
  }

  private static String names(Set<QpAttrMask> attributes, String separator) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(separator));
  }
}
