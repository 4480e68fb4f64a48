// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.List;

/** Recent states of a queue pair, also those left within one call: RTS may end in SQE. */
public final class StateHistory {
  /** Number of states kept, more than one call or packet passes through. */
  private static final int KEPT = Long.BYTES;

  private static final QpState[] STATES = QpState.values();

  /** Ordinals of the latest states, one byte each, the current one lowest. */
  private long latest = QpState.RESET.ordinal();

  private int kept = 1;
  private long transitions;

  void add(QpState next) {
    latest = latest << Byte.SIZE | next.ordinal();
    kept = Math.min(kept + 1, KEPT);
    transitions++;
  }

  /** Number of state changes since creation. */
  public long transitions() {
    return transitions;
  }

  /** Latest states, oldest first, the current one last. */
  public List<QpState> states() {
    List<QpState> states = new ArrayList<>();
    for (int age = kept - 1; age >= 0; age--) {
      states.add(STATES[(byte) (latest >>> (age * Byte.SIZE))]);
    }
    return List.copyOf(states);
  }
}
