// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.VirtualTime;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;

/** An extended reliable connection: an initiator, and a target with a shared receive queue. */
final class XrcPair implements AutoCloseable {
  private static final int ENTRIES = 16;
  private static final int PSN = 100;

  private final InMemoryFabric fabric;
  private final Emulator emulator;
  private final ProtectionDomain sendPd;
  private final CompletionQueue sendCq;
  private final QueuePair initiator;
  private final ProtectionDomain recvPd;
  private final CompletionQueue recvCq;
  private final SharedReceiveQueue srq;

  XrcPair(LinkForm form) {
    fabric = form.fabric();
    emulator = Emulator.on(fabric);
    Context near = emulator.addDevice("10.0.0.1").open();
    sendPd = near.allocPd();
    sendCq = near.createCq(ENTRIES);
    initiator = sendPd.createQp(QpInitAttr.of(QpType.XRC_SEND, sendCq, QpCap.of(ENTRIES)));
    Context far = emulator.addDevice("10.0.0.2").open();
    recvPd = far.allocPd();
    recvCq = far.createCq(ENTRIES);
    XrcDomain xrcd = far.openXrcd();
    srq = xrcd.createSrq(recvPd, recvCq, new SrqAttr(ENTRIES, 1, 0));
    QueuePair target = xrcd.createQp();
    connect(initiator, far, target);
    connect(target, near, initiator);
  }

  private static void connect(QueuePair qp, Context peer, QueuePair peerQp) {
    boolean isTarget = qp.initAttr().qpType() == QpType.XRC_RECV;
    qp.modify(
        QpAttr.to(QpState.INIT)
            .pkeyIndex(0)
            .portNum(1)
            .qpAccessFlags(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE));
    QpAttr rtr =
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(peer.queryGid(1, 0)))
            .pathMtu(Mtu.MTU_1024)
            .destQpNum(peerQp.qpNum())
            .rqPsn(PSN);
    qp.modify(isTarget ? rtr.minRnrTimer(12).maxDestRdAtomic(1) : rtr);
    QpAttr rts = QpAttr.to(QpState.RTS).sqPsn(PSN).timeout(14);
    qp.modify(isTarget ? rts : rts.retryCnt(7).rnrRetry(7).maxRdAtomic(1));
  }

  ProtectionDomain sendPd() {
    return sendPd;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  QueuePair initiator() {
    return initiator;
  }

  ProtectionDomain recvPd() {
    return recvPd;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }

  SharedReceiveQueue srq() {
    return srq;
  }

  void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  @Override
  public void close() {
    emulator.close();
  }
}
