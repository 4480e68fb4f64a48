// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.qp;

import io.queuepair.verbs.QpState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The recent states of a queue pair, including those that it left within one call: a modify to RTS
 * may end in SQE.
 */
public final class StateHistory {
  /** States kept: more than any one call or packet leads through. */
  private static final int KEPT = 8;

  private final Deque<QpState> states = new ArrayDeque<>(List.of(QpState.RESET));
  private long transitions;

  void add(QpState next) {
    if (states.size() == KEPT) {
      states.removeFirst();
    }
    states.addLast(next);
    transitions++;
  }

  /** How often the state has changed since the creation. */
  public long transitions() {
    return transitions;
  }

  /** The latest states, oldest first; the present one is the last. */
  public List<QpState> states() {
    return List.copyOf(states);
  }
}
