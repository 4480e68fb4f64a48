// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.Set;

/**
 * How a queue pair is connected.
 *
 * @param access what the peer may do
 * @param reads READs and atomics outstanding, each way
 * @param gidIndex its own address
 * @param peer address of the peer
 * @param peerQpn number of the peer
 */
record QpConfig(Set<AccessFlag> access, int reads, int gidIndex, Gid peer, int peerQpn) {
  static final Mtu MTU = Mtu.MTU_256;
  static final int QKEY = 0x1234_5678;

  private static final int PORT = 1;

  /** 1 ms: far more than an answer takes, and little enough to be met in a run. */
  private static final int TIMEOUT = 8;

  /** Brings a queue pair from RESET to INIT; one of type UD gets the Q_Key that is fired with. */
  void initialize(QueuePair qp) {
    initialize(qp, QKEY);
  }

  /** Brings a queue pair from RESET to INIT; one of type UD with that Q_Key. */
  void initialize(QueuePair qp, int qkey) {
    QpAttr attr = QpAttr.to(QpState.INIT).portNum(PORT);
    qp.modify(
        switch (qp.initAttr().qpType()) {
          case RC, UC, XRC_SEND, XRC_RECV -> attr.pkeyIndex(0).qpAccessFlags(access);
          case UD -> attr.pkeyIndex(0).qkey(qkey);
          case RAW_PACKET, DRIVER -> attr;
        });
  }

  /** From INIT to RTR. */
  void receive(QueuePair qp, int psn) {
    QpAttr attr = QpAttr.to(QpState.RTR);
    QpType type = qp.initAttr().qpType();
    if (isConnected(type)) {
      GlobalRoute route = GlobalRoute.to(peer, gidIndex);
      attr.ahAttr(new AhAttr(route, 0, PORT)).pathMtu(MTU).destQpNum(peerQpn).rqPsn(psn);
    }
    if (type == QpType.RC || type == QpType.XRC_RECV) {
      attr.maxDestRdAtomic(reads).minRnrTimer(1);
    }
    qp.modify(attr);
  }

  /** From RTR to RTS. */
  void send(QueuePair qp, int psn) {
    QpAttr attr = QpAttr.to(QpState.RTS);
    qp.modify(
        switch (qp.initAttr().qpType()) {
          case RC, XRC_SEND ->
              attr.sqPsn(psn).timeout(TIMEOUT).retryCnt(7).rnrRetry(6).maxRdAtomic(reads);
          case XRC_RECV -> attr.sqPsn(psn).timeout(TIMEOUT);
          case UC, UD -> attr.sqPsn(psn);
          case RAW_PACKET, DRIVER -> attr;
        });
  }

  private static boolean isConnected(QpType type) {
    return switch (type) {
      case RC, UC, XRC_SEND, XRC_RECV -> true;
      case UD, RAW_PACKET, DRIVER -> false;
    };
  }
}
