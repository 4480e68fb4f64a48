// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.states.AutomaticTransition;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The transitions of one type as a graph: those that {@code ibv_modify_qp} asks for, with what they
 * require, and those that an error causes. A state that nothing leads to is left out. A state that
 * can be entered from every state has a note instead of arrows.
 */
final class StateDiagram {
  private final TransitionTable table;
  private final QpType type;
  private final Set<QpState> states;
  private final Set<QpState> enteredFromAll;

  private StateDiagram(TransitionTable table, QpType type) {
    this.table = table;
    this.type = type;
    states = EnumSet.complementOf(EnumSet.of(QpState.UNKNOWN));
    if (!TransitionTable.hasSendQueueError(type)) {
      states.remove(QpState.SQE);
    }
    enteredFromAll = EnumSet.noneOf(QpState.class);
    for (QpState to : states) {
      if (states.stream().allMatch(from -> from == to || needsNothing(from, to))) {
        enteredFromAll.add(to);
      }
    }
  }

  /** One arrow of the graph; it requires nothing if an error causes it. */
  private record Arrow(QpState from, QpState to, Set<QpAttrMask> required, String cause) {
    boolean isAutomatic() {
      return !cause.isEmpty();
    }

    String label(String separator) {
      return isAutomatic()
          ? cause
          : required.stream().map(Enum::name).collect(Collectors.joining(separator));
    }
  }

  static List<String> mermaid(TransitionTable table, QpType type) {
    return new StateDiagram(table, type).mermaid();
  }

  static List<String> dot(TransitionTable table, QpType type) {
    return new StateDiagram(table, type).dot();
  }

  private List<String> mermaid() {
    List<String> lines = new ArrayList<>(List.of("stateDiagram-v2", "  direction LR"));
    lines.add("  [*] --> " + QpState.RESET);
    for (Arrow arrow : arrows()) {
      String label = arrow.label("<br/>");
      String suffix = label.isEmpty() ? "" : ": " + label;
      lines.add("  " + arrow.from + " --> " + arrow.to + suffix);
    }
    enteredFromAll.forEach(to -> lines.add("  note right of " + to + ": " + note(to)));
    return lines;
  }

  private List<String> dot() {
    List<String> lines = new ArrayList<>(List.of("digraph " + type + " {", "  rankdir=LR;"));
    lines.add("  start [shape=point];");
    lines.add("  start -> " + QpState.RESET + ";");
    for (Arrow arrow : arrows()) {
      List<String> attributes = new ArrayList<>();
      if (!arrow.label("").isEmpty()) {
        attributes.add("label=\"" + arrow.label("\\n") + "\"");
      }
      if (arrow.isAutomatic()) {
        attributes.add("style=dashed color=red fontcolor=red");
      }
      String suffix = attributes.isEmpty() ? "" : " [" + String.join(" ", attributes) + "]";
      lines.add("  " + arrow.from + " -> " + arrow.to + suffix + ";");
    }
    for (QpState to : enteredFromAll) {
      lines.add("  note_" + to + " [shape=note label=\"" + note(to) + "\"];");
      lines.add("  note_" + to + " -> " + to + " [style=dotted arrowhead=none];");
    }
    lines.add("}");
    return lines;
  }

  private static String note(QpState to) {
    return "modify_qp to " + to + " works in every state";
  }

  private List<Arrow> arrows() {
    List<Arrow> arrows = new ArrayList<>();
    for (Transition row : table.rows()) {
      boolean isShown = states.contains(row.from()) && !enteredFromAll.contains(row.to());
      if (row.type() == type && isShown) {
        arrows.add(new Arrow(row.from(), row.to(), row.required(), ""));
      }
    }
    for (AutomaticTransition change : AutomaticTransition.of(type)) {
      String cause = "automatic, " + change.cause().text();
      arrows.add(new Arrow(change.from(), change.to(), Set.of(), cause));
    }
    return arrows;
  }

  private boolean needsNothing(QpState from, QpState to) {
    return table.find(type, from, to).map(row -> row.required().isEmpty()).orElse(false);
  }
}
