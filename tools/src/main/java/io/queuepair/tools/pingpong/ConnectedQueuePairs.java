// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Queue pairs that send and receive: a single one, or several with a shared receive queue. */
final class ConnectedQueuePairs implements PingpongQueuePairs {
  private final PingpongContext context;
  private final SharedReceiveQueue srq;
  private final List<QueuePair> qps = new ArrayList<>();
  private final List<PeerAddress> addresses = new ArrayList<>();
  private final List<SendWr> sends = new ArrayList<>();

  private ConnectedQueuePairs(PingpongContext context, SharedReceiveQueue srq) {
    this.context = context;
    this.srq = srq;
  }

  /** Creates one queue pair with its own receive queue. */
  static ConnectedQueuePairs single(PingpongContext context, int rxDepth) {
    ConnectedQueuePairs one = new ConnectedQueuePairs(context, null);
    one.add(new QpCap(1, rxDepth, 1, 1, 0));
    return one;
  }

  /** Creates several queue pairs with a shared receive queue. */
  static ConnectedQueuePairs sharing(PingpongContext context, int count, int rxDepth) {
    SharedReceiveQueue srq = context.pd.createSrq(SrqAttr.of(rxDepth, 1));
    ConnectedQueuePairs many = new ConnectedQueuePairs(context, srq);
    for (int i = 0; i < count; i++) {
      many.add(new QpCap(1, 0, 1, 0, 0));
    }
    return many;
  }

  private void add(QpCap cap) {
    QpInitAttr attr = QpInitAttr.of(context.type().qpType(), context.cq, cap);
    QueuePair qp = context.pd.createQp(srq == null ? attr : attr.withSrq(srq));
    context.initialize(qp);
    qps.add(qp);
    addresses.add(new PeerAddress(0, qp.qpNum(), PingpongContext.randomPsn(), context.gid()));
  }

  List<PeerAddress> addresses() {
    return addresses;
  }

  void connect(List<PeerAddress> peers) {
    PingpongType type = context.type();
    for (int i = 0; i < qps.size(); i++) {
      QueuePair qp = qps.get(i);
      PeerAddress peer = peers.get(i);
      var path = context.path(peer.gid());
      PingpongContext.modify(qp, type.rtr(peer, path, context.pathMtu()));
      PingpongContext.modify(qp, type.rts(addresses.get(i).psn()));
      sends.add(type.addressed(context.sendBy(qp), peer, () -> context.pd.createAh(path)));
    }
  }

  @Override
  public int count() {
    return qps.size();
  }

  @Override
  public int indexOf(int qpNum) {
    int index = 0;
    while (qps.get(index).qpNum() != qpNum) {
      index++;
    }
    return index;
  }

  @Override
  public void postReceives(int count) {
    List<RecvWr> receives = Collections.nCopies(count, context.receive());
    if (srq == null) {
      qps.get(0).postRecv(receives);
    } else {
      srq.postRecv(receives);
    }
  }

  @Override
  public void postSend(int index) {
    qps.get(index).postSend(sends.get(index));
  }
}
