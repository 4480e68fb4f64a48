// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.DevicePort;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;

/** Brings queue pairs of any service to RTS, with perftest's attributes. */
record Connector(PerftestSettings settings, DevicePort port, Mtu mtu) {
  private static final int HOP_LIMIT = 64;
  private static final int MIN_RNR_TIMER = 12;
  private static final int RETRIES = 7;

  AhAttr way(PeerQp peer) {
    return port.wayTo(peer.gid(), settings.options().serviceLevel, HOP_LIMIT);
  }

  /** Connects one. The target of an extended connection answers from RTR on, and sends nothing. */
  void connect(QueuePair qp, PeerQp own, PeerQp peer) {
    QpType type = qp.initAttr().qpType();
    qp.modify(toInit());
    qp.modify(toReadyToReceive(type, own, peer));
    if (type != QpType.XRC_RECV) {
      qp.modify(toReadyToSend(own, peer));
    }
  }

  private QpAttr toInit() {
    QpAttr attr = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(port.number());
    return settings.service() == QpType.UD
        ? attr.qkey(QpChannel.QKEY)
        : attr.qpAccessFlags(settings.operation().remoteAccess());
  }

  private QpAttr toReadyToReceive(QpType type, PeerQp own, PeerQp peer) {
    QpAttr attr = QpAttr.to(QpState.RTR);
    if (type == QpType.UD) {
      return attr;
    }
    attr.ahAttr(way(peer)).pathMtu(mtu).destQpNum(peer.qpn()).rqPsn(peer.psn());
    return type == QpType.RC || type == QpType.XRC_RECV
        ? attr.maxDestRdAtomic(own.outReads()).minRnrTimer(MIN_RNR_TIMER)
        : attr;
  }

  private QpAttr toReadyToSend(PeerQp own, PeerQp peer) {
    QpAttr attr = QpAttr.to(QpState.RTS).sqPsn(own.psn());
    return settings.isReliable()
        ? attr.timeout(settings.options().ackTimeout)
            .retryCnt(RETRIES)
            .rnrRetry(RETRIES)
            .maxRdAtomic(peer.outReads())
        : attr;
  }
}
