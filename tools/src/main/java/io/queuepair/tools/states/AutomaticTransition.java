// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Transition that no call requests. (InfiniBand specification, 10.3.1.) */
public record AutomaticTransition(QpState from, QpState to, Cause cause) {
  /** States with a working receive side, which an error ends. */
  private static final Set<QpState> AT_WORK =
      EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);

  /** Causes of automatic transitions. */
  public enum Cause {
    /** A send completed with an error; the receive side still works. */
    SEND_FAILED("a send failed"),

    /** Any error after which the queue pair cannot continue. */
    ERROR("error");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    /** Label of the arrow in a diagram. */
    public String text() {
      return text;
    }
  }

  /** All automatic transitions of one type. */
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
