// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A type in a state: a cell of the table of what each state means. */
record TypeAndState(QpKind kind, QpState state) {
  /** In which a device can be. */
  static final Set<QpState> STATES = EnumSet.complementOf(EnumSet.of(QpState.UNKNOWN));

  /** Cells that no verb and no packet reaches. */
  static final List<UntestedCell> UNREACHABLE =
      List.of(
          new UntestedCell(QpKind.RC, QpState.SQE, "a failed send takes it to ERR"),
          new UntestedCell(QpKind.XRC_SEND, QpState.SQE, "a failed send takes it to ERR"),
          new UntestedCell(QpKind.XRC_RECV, QpState.SQE, "it has no sends that could fail"));

  /** A cell that is not tested, and why. */
  record UntestedCell(QpKind kind, QpState state, String reason) {
    @Override
    public String toString() {
      return kind + " in " + state + ": " + reason;
    }
  }

  /** All that can be reached, of some types. */
  static Stream<TypeAndState> of(Stream<QpKind> kinds) {
    List<TypeAndState> cells = new ArrayList<>();
    kinds.forEach(
        kind -> STATES.stream().map(state -> new TypeAndState(kind, state)).forEach(cells::add));
    return cells.stream().filter(TypeAndState::isReachable);
  }

  boolean isReachable() {
    return UNREACHABLE.stream().noneMatch(other -> other.kind() == kind && other.state() == state);
  }

  boolean isIn(QpState... states) {
    return Set.of(states).contains(state);
  }

  @Override
  public String toString() {
    return kind + " in " + state;
  }
}
