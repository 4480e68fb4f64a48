// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import static java.util.stream.Collectors.joining;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.states.AutomaticTransition;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Transitions of one type as a Mermaid diagram: those that {@code ibv_modify_qp} requests, with
 * their required attributes, and those that an error causes. Omits states that cannot be reached.
 * States reachable from every state have a note instead of arrows.
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

  static List<String> mermaid(TransitionTable table, QpType type) {
    return new StateDiagram(table, type).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>(List.of("stateDiagram-v2", "  direction LR"));
    lines.add("  [*] --> " + QpState.RESET);
    for (Transition transition : table.rows()) {
      boolean isShown =
          states.contains(transition.from()) && !enteredFromAll.contains(transition.to());
      if (transition.type() == type && isShown) {
        String required = transition.required().stream().map(Enum::name).collect(joining("<br/>"));
        lines.add(arrow(transition.from(), transition.to(), required));
      }
    }
    for (AutomaticTransition change : AutomaticTransition.of(type)) {
      lines.add(arrow(change.from(), change.to(), "automatic, " + change.cause().text()));
    }
    for (QpState to : enteredFromAll) {
      lines.add("  note right of " + to + ": modify_qp to " + to + " works in every state");
    }
    return lines;
  }

  private static String arrow(QpState from, QpState to, String label) {
    return "  " + from + " --> " + to + (label.isEmpty() ? "" : ": " + label);
  }

  private boolean needsNothing(QpState from, QpState to) {
    return table
        .find(type, from, to)
        .map(transition -> transition.required().isEmpty())
        .orElse(false);
  }
}
