// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.io.IOException;

/** A queue pair. */
final class DisniQp extends IbvQP {
  private final QueuePair qp;

  DisniQp(QueuePair qp, QpType type, IbvContext context, IbvPd pd, IbvCQ sendCq, IbvCQ recvCq)
      throws IOException {
    super(qp.qpNum());
    this.qp = qp;
    this.context = context;
    this.pd = pd;
    send_cq = sendCq;
    recv_cq = recvCq;
    handle = qp.qpNum();
    qp_type = type.code();
  }

  QueuePair qp() {
    return qp;
  }
}
