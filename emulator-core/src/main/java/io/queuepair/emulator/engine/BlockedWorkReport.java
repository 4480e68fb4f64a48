// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Describes why each queue pair of one device is blocked, for EDEADLK. */
public final class BlockedWorkReport {
  private final List<QpEngine> qpEngines;

  BlockedWorkReport(List<QpEngine> qpEngines) {
    this.qpEngines = qpEngines.stream().filter(qpEngine -> qpEngine != null).toList();
  }

  /** Sentences on the posted work of all queue pairs, in QPN order; idle queue pairs come last. */
  public List<String> sentences() {
    List<String> waiting = new ArrayList<>();
    List<String> idle = new ArrayList<>();
    for (QpEngine qpEngine : qpEngines) {
      QpContext qp = qpEngine.qp();
      String name = name(qp) + " (" + qp.type() + ", " + qp.state() + ")";
      int before = waiting.size();
      if (!qp.sendQueue().isEmpty()) {
        waiting.add(name + ": " + sends(qpEngine));
      }
      if (!qp.receiveQueue().isEmpty()) {
        waiting.add(name + ": " + receives(qp));
      }
      if (waiting.size() == before) {
        idle.add(name + ": nothing is posted");
      }
    }
    waiting.addAll(idle);
    return waiting;
  }

  private static String sends(QpEngine qpEngine) {
    QpContext qp = qpEngine.qp();
    SendWqe oldestWqe = qp.sendQueue().toList().get(0);
    return Quantity.of(qp.sendQueue().size(), "send")
        + " not completed; the first, wr_id "
        + oldestWqe.wrId()
        + ", "
        + oldestWqe.opcode()
        + peer(qp, " to ")
        + ", "
        + qpEngine.blockedReason();
  }

  private static String receives(QpContext qp) {
    String posted = Quantity.of(qp.receiveQueue().size(), "receive") + " posted; ";
    return qp.state() == QpState.INIT
        ? posted + "nothing is taken before RTR"
        : posted + "nothing comes" + peer(qp, " from ");
  }

  /** Peer of a connected queue pair after a preposition; empty for UD and raw packets. */
  private static String peer(QpContext qp, String preposition) {
    boolean isConnected = qp.type() != QpType.UD && qp.type() != QpType.RAW_PACKET;
    return isConnected && qp.path() != null
        ? preposition
            + String.format("QP 0x%06x of ", qp.attributes().destQpNum())
            + qp.path().route().destination().getHostAddress()
        : "";
  }

  private static String name(QpContext qp) {
    return String.format("QP 0x%06x", qp.qpn());
  }

  /** Queue pairs that use a completion queue, in QPN order; empty if none does. */
  public String usersOf(CompletionRing ring) {
    StringJoiner users = new StringJoiner(", ");
    for (QpEngine qpEngine : qpEngines) {
      QpContext qp = qpEngine.qp();
      boolean sends = qp.sendCompletions() == ring;
      boolean receives = qp.receiveCompletions() == ring;
      if (sends || receives) {
        String what = sends && receives ? "" : sends ? " (sends)" : " (receives)";
        users.add(name(qp) + what);
      }
    }
    return users.toString();
  }

  /** Whether any queue pair has a deadline other than that of an RNR retry without limit. */
  public boolean isAnythingDue() {
    return qpEngines.stream()
        .anyMatch(qpEngine -> qpEngine.hasDeadline() && !qpEngine.isInInfiniteRnrRetry());
  }
}
