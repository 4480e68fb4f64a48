package io.queuepair.tests.states;

import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A type in a state: a cell of the table of what each state means. */
record Cell(Kind kind, QpState state) {
  /** In which a device can be. */
  static final Set<QpState> STATES = EnumSet.complementOf(EnumSet.of(QpState.UNKNOWN));

  /** Cells that no verb and no packet reaches. */
  static final List<Unreachable> UNREACHABLE =
      List.of(
          new Unreachable(Kind.RC, QpState.SQE, "a failed send takes it to ERR"),
          new Unreachable(Kind.XRC_SEND, QpState.SQE, "a failed send takes it to ERR"),
          new Unreachable(Kind.XRC_RECV, QpState.SQE, "it has no sends that could fail"));

  /** A cell that is not tested, and why. */
  record Unreachable(Kind kind, QpState state, String reason) {
    @Override
    public String toString() {
      return kind + " in " + state + ": " + reason;
    }
  }

  /** All that can be reached, of some types. */
  static Stream<Cell> of(Stream<Kind> kinds) {
    List<Cell> cells = new ArrayList<>();
    kinds.forEach(kind -> STATES.stream().map(state -> new Cell(kind, state)).forEach(cells::add));
    return cells.stream().filter(Cell::isReachable);
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
