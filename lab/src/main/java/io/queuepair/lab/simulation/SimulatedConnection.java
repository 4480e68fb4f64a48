// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.QpState;
import java.util.List;

/** Two queue pairs that are connected to each other. */
final class SimulatedConnection {
  private final SimulatedQp even;
  private final SimulatedQp odd;

  /** Whether an action since the connection was made may make work fail. */
  private boolean isDisturbed;

  /** Whether work has failed since the connection was made. */
  private boolean hasFailed;

  SimulatedConnection(
      int number, ConnectionConfig config, SimulatedHost left, SimulatedHost right) {
    even = new SimulatedQp(2 * number, config, left, this);
    odd = new SimulatedQp(2 * number + 1, config, right, this);
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

  /** Moves both queue pairs to RESET, which drops posted work. */
  void reset() {
    for (SimulatedQp side : sides()) {
      side.modify(QpState.RESET);
      side.sends.dropAll();
      side.receives.dropAll();
      side.resetWindow();
    }
  }

  /** Moves both queue pairs from RESET to RTS, when no earlier packet is in flight. */
  void connect(int psn) {
    for (SimulatedQp side : sides()) {
      side.sends.restart();
      side.word.settle();
    }
    isDisturbed = !even.config.membership().isConnected();
    hasFailed = false;
    even.host.listener.connecting(even, odd, psn);
    even.connect(psn, 0);
    odd.connect(psn, 1);
  }
}
