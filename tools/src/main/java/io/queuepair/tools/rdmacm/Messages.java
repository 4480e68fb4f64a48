// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.WorkBuffer;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.io.PrintWriter;
import java.nio.ByteBuffer;

/** The one message that rdma_client and rdma_server send each other. */
final class Messages {
  private static final int BYTES = 16;

  private final RdmaCmId id;
  private final Sge message;
  private final SendFlag[] flags;

  /**
   * Posts the receive, and prepares the send: inline if the queue pair can.
   *
   * @param id with a queue pair
   * @param name of the program, for what it prints
   */
  Messages(RdmaCmId id, String name, PrintWriter out) {
    this.id = id;
    if (id.qp().initAttr().cap().maxInlineData() >= BYTES) {
      message = Sge.inline(ByteBuffer.allocate(BYTES));
      flags = new SendFlag[] {SendFlag.INLINE};
    } else {
      out.println(name + ": device doesn't support IBV_SEND_INLINE, using sge sends");
      message = id.regMsgs(WorkBuffer.allocate(BYTES)).sge();
      flags = new SendFlag[0];
    }
    id.postRecv(0, id.regMsgs(WorkBuffer.allocate(BYTES)).sge());
  }

  /** What the queue pairs of both are made with; each send gives a completion. */
  static QpInitAttr attr() {
    QpCap cap = new QpCap(1, 1, 1, 1, BYTES);
    return new QpInitAttr(QpType.RC, null, null, null, cap, true);
  }

  void send() {
    id.postSend(0, message, flags);
    check("rdma_get_send_comp", id.getSendComp());
  }

  void receive() {
    check("rdma_get_recv_comp", id.getRecvComp());
  }

  private static void check(String verb, WorkCompletion completion) {
    if (!completion.isSuccess()) {
      throw new CommandFailure(
          verb + ": " + completion.status().text() + ". " + completion.explain());
    }
  }
}
