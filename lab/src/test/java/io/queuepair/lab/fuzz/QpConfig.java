// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.EnumSet;
import java.util.List;
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
    QpAttr all =
        new QpAttr()
            .portNum(1)
            .pkeyIndex(0)
            .qpAccessFlags(access)
            .qkey(qkey)
            .ahAttr(new AhAttr(GlobalRoute.to(peer, gidIndex), 0, 1))
            .pathMtu(Mtu.MTU_256)
            .destQpNum(peerQpn)
            .rqPsn(rqPsn)
            .sqPsn(sqPsn)
            .maxDestRdAtomic(reads)
            .maxRdAtomic(reads)
            .minRnrTimer(1)
            .timeout(TIMEOUT_1_MS)
            .retryCnt(7)
            .rnrRetry(6);
    for (QpState state : List.of(QpState.INIT, QpState.RTR, QpState.RTS)) {
      if (goal.compareTo(state) >= 0) {
        QpType type = qp.initAttr().qpType();
        QpState from = QpState.values()[state.ordinal() - 1];
        Transition step = TransitionTable.documented().find(type, from, state).orElseThrow();
        Set<QpAttrMask> mask = EnumSet.of(QpAttrMask.STATE);
        mask.addAll(step.required());
        qp.modify(all.qpState(state), mask);
      }
    }
  }
}
