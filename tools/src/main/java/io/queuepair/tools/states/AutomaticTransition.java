// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A change of state that no call asks for. (InfiniBand specification, 10.3.1.) */
public record AutomaticTransition(QpState from, QpState to, Cause cause) {
  /** States whose receive side works, so that an error can end it. */
  private static final Set<QpState> AT_WORK =
      EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);

  /** Causes of such a transition. */
  public enum Cause {
    /** A send completed with an error; the receive side still works. */
    SEND_FAILED("a send failed"),

    /** Anything else that the queue pair cannot go on with. */
    ERROR("error");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    /** Label of an arrow of a diagram. */
    public String text() {
      return text;
    }
  }

  /** All transitions of one type. */
  public static List<AutomaticTransition> of(QpType type) {
    boolean hasSendQueueError = TransitionTable.hasSendQueueError(type);
    List<AutomaticTransition> all = new ArrayList<>();
    if (hasSendQueueError) {
      all.add(new AutomaticTransition(QpState.RTS, QpState.SQE, Cause.SEND_FAILED));
    }
    for (QpState from : AT_WORK) {
      if (hasSendQueueError || from != QpState.SQE) {
        all.add(new AutomaticTransition(from, QpState.ERR, Cause.ERROR));
      }
    }
    return all;
  }
}
