// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.List;

/**
 * The recent states of a queue pair, including those that it left within one call: a modify to RTS
 * may end in SQE.
 */
public final class StateHistory {
  /** States kept: more than any one call or packet leads through. */
  private static final int KEPT = Long.BYTES;

  private static final QpState[] STATES = QpState.values();

  /** The ordinals of the latest, a byte for each; the present one is the lowest. */
  private long latest = QpState.RESET.ordinal();

  private int kept = 1;
  private long transitions;

  void add(QpState next) {
    latest = latest << Byte.SIZE | next.ordinal();
    kept = Math.min(kept + 1, KEPT);
    transitions++;
  }

  /** How often the state has changed since the creation. */
  public long transitions() {
    return transitions;
  }

  /** The latest states, oldest first; the present one is the last. */
  public List<QpState> states() {
    List<QpState> states = new ArrayList<>();
    for (int age = kept - 1; age >= 0; age--) {
      states.add(STATES[(byte) (latest >>> (age * Byte.SIZE))]);
    }
    return List.copyOf(states);
  }
}
