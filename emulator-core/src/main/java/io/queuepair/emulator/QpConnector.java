// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;

/** Connects two RC queue pairs with usual attributes, from RESET to RTS. */
final class QpConnector {
  private static final int READS = 4;
  private static final int MOST_RETRIES = 7;

  private QpConnector() {}

  static void make(QueuePair a, QueuePair b) {
    Mtu mtuA = contextOf(a).queryPort(1).activeMtu();
    Mtu mtuB = contextOf(b).queryPort(1).activeMtu();
    Mtu mtu = mtuA.compareTo(mtuB) <= 0 ? mtuA : mtuB;
    toReadyToReceive(a, b, mtu);
    toReadyToReceive(b, a, mtu);
    toReadyToSend(a);
    toReadyToSend(b);
  }

  private static Context contextOf(QueuePair qp) {
    ProtectionDomain pd = qp.pd();
    if (pd == null) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_modify_qp", qp + " is of type XRC_RECV; only RC can be connected so");
    }
    return pd.context();
  }

  private static void toReadyToReceive(QueuePair qp, QueuePair peer, Mtu mtu) {
    qp.modify(
        QpAttr.to(QpState.INIT)
            .pkeyIndex(0)
            .portNum(1)
            .qpAccessFlags(
                AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC));
    qp.modify(
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(contextOf(peer).queryGid(1, 0)))
            .pathMtu(mtu)
            .destQpNum(peer.qpNum())
            .rqPsn(0)
            .minRnrTimer(12)
            .maxDestRdAtomic(READS));
  }

  private static void toReadyToSend(QueuePair qp) {
    qp.modify(
        QpAttr.to(QpState.RTS)
            .sqPsn(0)
            .timeout(14)
            .retryCnt(MOST_RETRIES)
            .rnrRetry(MOST_RETRIES)
            .maxRdAtomic(READS));
  }
}
