// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.QpState;
import java.util.List;

/** Two queue pairs that are each other's peer. */
final class SimulatedConnection {
  private final SimulatedQp even;
  private final SimulatedQp odd;

  /** Whether something was done on purpose, since it was connected, that makes work fail. */
  private boolean isDisturbed;

  /** Whether work has failed by itself since then. */
  private boolean hasFailed;

  SimulatedConnection(int number, ConnectionConfig plan, SimulatedHost left, SimulatedHost right) {
    even = new SimulatedQp(2 * number, plan, left, this);
    odd = new SimulatedQp(2 * number + 1, plan, right, this);
    even.meet(odd);
    odd.meet(even);
  }

  List<SimulatedQp> sides() {
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

  /** Moves both to RESET, which drops what is posted. */
  void reset() {
    for (SimulatedQp side : sides()) {
      side.modify(QpState.RESET);
      side.sends.dropAll();
      side.receives.dropAll();
      side.resetWindow();
    }
  }

  /** Moves both from RESET to RTS, when no packet of before is under way. */
  void connect(int psn) {
    for (SimulatedQp side : sides()) {
      side.sends.restart();
      side.word.settle();
    }
    isDisturbed = !even.plan.membership().isConnected();
    hasFailed = false;
    even.host.journal.connecting(even, odd, psn);
    even.connect(psn, 0);
    odd.connect(psn, 1);
  }
}
