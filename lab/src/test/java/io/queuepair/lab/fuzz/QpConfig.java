// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import java.util.Set;

/**
 * Attributes of a queue pair.
 *
 * @param access rights of the peer
 * @param reads READs and atomics outstanding, each way
 * @param gidIndex its own address
 * @param qkey of type UD
 */
record QpConfig(Set<AccessFlag> access, int reads, int gidIndex, Gid peer, int peerQpn, int qkey) {
  static final int MTU_BYTES = Mtu.MTU_256.bytes();

  private static final int TIMEOUT_1_MS = 8;

  /** Moves a queue pair from RESET to a state. */
  void bring(QueuePair qp, QpState goal, int rqPsn, int sqPsn) {
    QpAttr init = QpAttr.to(QpState.INIT).portNum(1);
    QpAttr rtr = QpAttr.to(QpState.RTR);
    QpAttr rts = QpAttr.to(QpState.RTS);
    switch (qp.initAttr().qpType()) {
      case RC, UC, XRC_SEND, XRC_RECV -> {
        init.pkeyIndex(0).qpAccessFlags(access);
        rtr.ahAttr(new AhAttr(GlobalRoute.to(peer, gidIndex), 0, 1));
        rtr.pathMtu(Mtu.MTU_256).destQpNum(peerQpn).rqPsn(rqPsn);
        rts.sqPsn(sqPsn);
      }
      case UD -> {
        init.pkeyIndex(0).qkey(qkey);
        rts.sqPsn(sqPsn);
      }
      case RAW_PACKET, DRIVER -> {}
    }
    switch (qp.initAttr().qpType()) {
      case RC -> {
        rtr.maxDestRdAtomic(reads).minRnrTimer(1);
        rts.timeout(TIMEOUT_1_MS).retryCnt(7).rnrRetry(6).maxRdAtomic(reads);
      }
      case XRC_SEND -> rts.timeout(TIMEOUT_1_MS).retryCnt(7).rnrRetry(6).maxRdAtomic(reads);
      case XRC_RECV -> {
        rtr.maxDestRdAtomic(reads).minRnrTimer(1);
        rts.timeout(TIMEOUT_1_MS);
      }
      case UC, UD, RAW_PACKET, DRIVER -> {}
    }
    qp.modify(init);
    if (goal.compareTo(QpState.RTR) >= 0) {
      qp.modify(rtr);
    }
    if (goal.compareTo(QpState.RTS) >= 0) {
      qp.modify(rts);
    }
  }
}
