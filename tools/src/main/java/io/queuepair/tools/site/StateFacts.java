// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.tools.states.AutomaticTransition;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Facts about states and transitions, from tables of the docs and of the device. */
final class StateFacts {
  static final TransitionTable TABLE = TransitionTable.documented();

  private static final String PAGE = "docs/reference/state-behaviour.md";

  private final Map<QpState, List<Fact>> states = new EnumMap<>(QpState.class);

  private final List<Cause> causes = new ArrayList<>();

  StateFacts() {
    add("state", "ibv_post_send", "ibv_post_recv");
    add("state", "send queue", "receive queue", "packets that arrive");
    add("state", "completions", "an error", "left by");
    for (List<String> row : MarkdownTable.rows(PAGE, "from", "to", "types")) {
      QpState from = QpState.valueOf(MarkdownTable.plain(row.get(0)));
      QpState to = QpState.valueOf(MarkdownTable.plain(row.get(1)));
      causes.add(new Cause(from, to, row.get(3), row.get(4)));
    }
  }

  /** Cell of a table, with the header of its column. */
  record Fact(String name, String text) {}

  /** Automatic transition: its reason and its consequences. */
  record Cause(QpState from, QpState to, String why, String follows) {}

  /** Transition of one type: requested by a call, automatic, or both. */
  record Change(QpType type, QpState from, QpState to) {
    Optional<Transition> asked() {
      return TABLE.find(type, from, to);
    }

    boolean isAutomatic() {
      return AutomaticTransition.of(type).stream()
          .anyMatch(change -> change.from() == from && change.to() == to);
    }

    /** Whether no queue pair of the type ever enters the state from which this leads. */
    boolean isNever() {
      return from == QpState.SQE && !TransitionTable.hasSendQueueError(type);
    }

    String name() {
      return from + " to " + to;
    }

    String link(String text) {
      return "[" + text + "](" + StateLinks.nameOf(type, from, to) + ".md)";
    }

    /** Name of the transition in coverage reports. */
    String coverageName() {
      return type + " " + from + " -> " + to;
    }
  }

  private void add(String... heads) {
    for (List<String> row : MarkdownTable.rows(PAGE, heads)) {
      QpState state = QpState.valueOf(MarkdownTable.plain(row.get(0)));
      List<Fact> facts = states.computeIfAbsent(state, absent -> new ArrayList<>());
      for (int i = 1; i < heads.length; i++) {
        facts.add(new Fact(heads[i], row.get(i)));
      }
    }
  }

  /** All states, in the order of their values in C. */
  List<QpState> states() {
    return List.copyOf(states.keySet());
  }

  List<Fact> of(QpState state) {
    return states.get(state);
  }

  /** Reason of an automatic transition. */
  Cause cause(Change change) {
    return causes.stream()
        .filter(cause -> cause.from() == change.from() && cause.to() == change.to())
        .findFirst()
        .orElseThrow();
  }

  /** Transitions of all types, grouped by their states. */
  List<List<Change>> changesByStates() {
    List<List<Change>> all = new ArrayList<>();
    for (QpState from : states()) {
      for (QpState to : states()) {
        all.add(
            TransitionTable.types().stream()
                .map(type -> new Change(type, from, to))
                .filter(change -> change.asked().isPresent() || change.isAutomatic())
                .toList());
      }
    }
    return all;
  }

  /** Transitions of one type, ordered by the state before. */
  List<Change> changes(QpType type) {
    return changesByStates().stream()
        .flatMap(List::stream)
        .filter(change -> change.type() == type)
        .toList();
  }

  static String names(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(", "));
  }
}
