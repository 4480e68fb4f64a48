package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.DevicePort;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;

/** Brings queue pairs of any service to RTS, with perftest's attributes. */
record Connector(Settings settings, DevicePort port, Mtu mtu) {
  private static final int HOP_LIMIT = 64;
  private static final int MIN_RNR_TIMER = 12;
  private static final int RETRIES = 7;

  AhAttr way(Destination peer) {
    return port.wayTo(peer.gid(), settings.options().serviceLevel, HOP_LIMIT);
  }

  void connect(Lane lane) {
    lane.qp().modify(toInit());
    lane.qp().modify(toReadyToReceive(lane));
    lane.qp().modify(toReadyToSend(lane));
  }

  private QpAttr toInit() {
    QpAttr attr = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(port.number());
    return settings.service() == QpType.UD
        ? attr.qkey(Lane.QKEY)
        : attr.accessFlags(settings.operation().remoteAccess());
  }

  private QpAttr toReadyToReceive(Lane lane) {
    QpAttr attr = QpAttr.to(QpState.RTR);
    if (settings.service() == QpType.UD) {
      return attr;
    }
    Destination peer = lane.peer();
    attr.ahAttr(way(peer)).pathMtu(mtu).destQpNum(peer.qpn()).rqPsn(peer.psn());
    return settings.service() == QpType.RC
        ? attr.maxDestRdAtomic(lane.own().outReads()).minRnrTimer(MIN_RNR_TIMER)
        : attr;
  }

  private QpAttr toReadyToSend(Lane lane) {
    QpAttr attr = QpAttr.to(QpState.RTS).sqPsn(lane.own().psn());
    return settings.service() == QpType.RC
        ? attr.timeout(settings.options().ackTimeout)
            .retryCnt(RETRIES)
            .rnrRetry(RETRIES)
            .maxRdAtomic(lane.peer().outReads())
        : attr;
  }
}
