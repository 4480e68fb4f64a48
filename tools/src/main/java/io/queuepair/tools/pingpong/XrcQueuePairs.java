// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Extended reliable connections. Each partner has two queue pairs: an initiator that sends, and a
 * target that receives into the shared receive queue, whose number the sender names.
 */
final class XrcQueuePairs implements PingpongQueuePairs {
  private final PingpongContext context;
  private final SharedReceiveQueue srq;
  private final List<QueuePair> initiators = new ArrayList<>();
  private final List<QueuePair> targets = new ArrayList<>();
  private final List<XrcAddress> addresses = new ArrayList<>();
  private final List<SendWr> sends = new ArrayList<>();

  XrcQueuePairs(PingpongContext context, int partners) {
    this.context = context;
    XrcDomain domain = context.pd.context().openXrcd();
    srq = domain.createSrq(context.pd, context.cq, SrqAttr.of(partners, 1));
    for (int i = 0; i < partners; i++) {
      add(domain);
    }
  }

  private void add(XrcDomain domain) {
    QpCap cap = new QpCap(1, 0, 1, 0, 0);
    QueuePair target = domain.createQp();
    QueuePair initiator =
        context.pd.createQp(QpInitAttr.of(context.type().qpType(), context.cq, cap));
    context.initialize(target);
    context.initialize(initiator);
    targets.add(target);
    initiators.add(initiator);
    addresses.add(
        new XrcAddress(
            new PeerAddress(0, initiator.qpNum(), PingpongContext.randomPsn(), context.gid()),
            target.qpNum(),
            srq.srqNum()));
  }

  XrcAddress address(int index) {
    return addresses.get(index);
  }

  /** Moves the two queue pairs of a partner to RTS. */
  void connect(int index, XrcAddress peer) {
    int psn = addresses.get(index).initiator().psn();
    AhAttr path = context.path(peer.initiator().gid());
    QueuePair target = targets.get(index);
    Mtu pathMtu = context.pathMtu();
    PingpongContext.modify(target, PingpongType.XRC.rtr(peer.initiator(), path, pathMtu));
    PingpongContext.modify(target, PingpongType.rtsOfTarget(psn));
    QueuePair initiator = initiators.get(index);
    // An initiator receives no requests, so it has no responder attributes, as with UC.
    PingpongContext.modify(initiator, PingpongType.UC.rtr(peer.target(), path, pathMtu));
    PingpongContext.modify(initiator, PingpongType.XRC.rts(psn));
    sends.add(context.sendBy(initiator).toSrq(peer.srqn()));
  }

  @Override
  public int count() {
    return initiators.size();
  }

  @Override
  public int indexOf(int qpNum) {
    int index = 0;
    while (initiators.get(index).qpNum() != qpNum && targets.get(index).qpNum() != qpNum) {
      index++;
    }
    return index;
  }

  @Override
  public void postReceives(int count) {
    srq.postRecv(Collections.nCopies(count, context.receive()));
  }

  @Override
  public void postSend(int index) {
    initiators.get(index).postSend(sends.get(index));
  }
}
