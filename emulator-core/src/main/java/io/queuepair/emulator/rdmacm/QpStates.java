// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.device.CmMadAgent;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;

/** Attributes of the queue pair of an id for each state, as rdma_cm sets them. */
final class QpStates {
  /** Code of the longest RNR NAK timer: 655.36 ms. */
  private static final int MIN_RNR_TIMER = 0;

  private QpStates() {}

  /**
   * Checks that a queue pair can be created for an id, or take its attributes: not while the id
   * listens, and not after its connection has ended ({@code cm_init_qp_init_attr}).
   *
   * @throws VerbsException EINVAL if not
   */
  static void checkConnection(String verb, IdContext id) {
    if (id.isDatagram()) {
      return;
    }
    EmulatedRdmaCmId.refuseUnless(id.state() != IdState.LISTEN, verb, "the id listens");
    boolean hasEnded = id.cm != null && !id.cm.state().isConnection();
    EmulatedRdmaCmId.refuseUnless(!hasEnded, verb, "the connection has ended, or was refused");
  }

  static QpAttr init(IdContext id) {
    QpAttr attr = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(id.position.portNum());
    if (id.isDatagram()) {
      return attr.qkey(RdmaUdParam.UDP_QKEY);
    }
    boolean answersReads = id.negotiated == null || id.negotiated.responderResources() > 0;
    return answersReads
        ? attr.qpAccessFlags(
            AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
        : attr.qpAccessFlags(AccessFlag.REMOTE_WRITE);
  }

  static QpAttr readyToReceive(IdContext id) {
    QpAttr attr = QpAttr.to(QpState.RTR);
    if (id.isDatagram()) {
      return attr;
    }
    NegotiatedParams negotiated = id.negotiated;
    attr.ahAttr(addressOf(id.path, id.position, id.trafficClass))
        .pathMtu(negotiated.mtu())
        .destQpNum(negotiated.peerQpn())
        .rqPsn(negotiated.receivePsn());
    return id.qpType == QpType.UC
        ? attr
        : attr.maxDestRdAtomic(negotiated.responderResources()).minRnrTimer(MIN_RNR_TIMER);
  }

  static QpAttr readyToSend(IdContext id) {
    QpAttr attr = QpAttr.to(QpState.RTS);
    if (id.isDatagram()) {
      return attr.sqPsn(0);
    }
    NegotiatedParams negotiated = id.negotiated;
    attr.sqPsn(negotiated.sendPsn());
    return id.qpType == QpType.UC
        ? attr
        : attr.timeout(negotiated.timeout())
            .retryCnt(negotiated.retryCount())
            .rnrRetry(negotiated.rnrRetryCount())
            .maxRdAtomic(negotiated.initiatorDepth());
  }

  static AhAttr addressOf(RdmaPath path, CmMadAgent.GidPosition position, int trafficClass) {
    GlobalRoute route =
        new GlobalRoute(
            path.dgid(), path.flowLabel(), position.gidIndex(), path.hopLimit(), trafficClass);
    return new AhAttr(route, 0, position.portNum());
  }

  /**
   * Attributes for a queue pair that is not on the id.
   *
   * @throws VerbsException EINVAL if the peer or the device is not known yet, or for a state other
   *     than INIT, RTR and RTS
   */
  static QpAttr of(String verb, IdContext id, QpState state) {
    boolean knowsPeer = id.isDatagram() || (id.negotiated != null && id.negotiated.peerQpn() != 0);
    boolean knowsDevice = id.position != null;
    checkConnection(verb, id);
    return switch (state) {
      case INIT -> {
        EmulatedRdmaCmId.refuseUnless(knowsDevice, verb, "the id is not bound to a device");
        yield init(id);
      }
      case RTR -> {
        EmulatedRdmaCmId.refuseUnless(
            knowsDevice && knowsPeer, verb, "the peer has not said its queue pair");
        yield readyToReceive(id);
      }
      case RTS -> {
        EmulatedRdmaCmId.refuseUnless(
            knowsDevice && knowsPeer, verb, "the peer has not said its queue pair");
        yield readyToSend(id);
      }
      case RESET, SQD, SQE, ERR, UNKNOWN ->
          throw new VerbsException(
              Errno.EINVAL, verb, "there are attributes for INIT, RTR and RTS, not for " + state);
    };
  }
}
