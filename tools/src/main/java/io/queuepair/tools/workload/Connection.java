package io.queuepair.tools.workload;

import io.queuepair.verbs.QpState;
import java.util.List;

/** Two queue pairs that are each other's peer. */
final class Connection {
  private final Side even;
  private final Side odd;

  /** Whether something was done since it was connected that makes work fail. */
  private boolean isDisturbed;

  /** Whether work has failed by itself since then. */
  private boolean hasFailed;

  Connection(int number, Plan plan, Host left, Host right) {
    even = new Side(2 * number, plan, left, this);
    odd = new Side(2 * number + 1, plan, right, this);
    even.meet(odd);
    odd.meet(even);
  }

  List<Side> sides() {
    return List.of(even, odd);
  }

  void disturb() {
    isDisturbed = true;
  }

  boolean isDisturbed() {
    return isDisturbed;
  }

  void fail() {
    hasFailed = true;
  }

  boolean hasFailed() {
    return hasFailed;
  }

  boolean isBroken() {
    return even.state() == QpState.ERR || odd.state() == QpState.ERR;
  }

  /** Both to RESET: what is posted is gone. */
  void reset() {
    for (Side side : sides()) {
      side.modify(QpState.RESET);
      side.sends().dropAll();
      side.receives().dropAll();
      side.resetWindow();
    }
  }

  /** Both from RESET to RTS, when nothing of before is under way any more. */
  void connect(int psn) {
    for (Side side : sides()) {
      side.sends().restart();
      side.word().settle();
    }
    isDisturbed = !even.plan().membership().isConnected();
    hasFailed = false;
    even.host().journal().connecting(even, odd, psn);
    even.connect(psn, 0);
    odd.connect(psn, 1);
  }
}
