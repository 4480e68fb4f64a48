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
  private final PingpongContext endpoint;
  private final SharedReceiveQueue srq;
  private final List<QueuePair> qps = new ArrayList<>();
  private final List<PeerAddress> addresses = new ArrayList<>();
  private final List<SendWr> sends = new ArrayList<>();

  private ConnectedQueuePairs(PingpongContext endpoint, SharedReceiveQueue srq) {
    this.endpoint = endpoint;
    this.srq = srq;
  }

  /** Creates one queue pair with its own receive queue. */
  static ConnectedQueuePairs single(PingpongContext endpoint, int rxDepth) {
    ConnectedQueuePairs one = new ConnectedQueuePairs(endpoint, null);
    one.add(new QpCap(1, rxDepth, 1, 1, 0));
    return one;
  }

  /** Creates several queue pairs with a shared receive queue. */
  static ConnectedQueuePairs sharing(PingpongContext endpoint, int count, int rxDepth) {
    SharedReceiveQueue srq = endpoint.pd.createSrq(SrqAttr.of(rxDepth, 1));
    ConnectedQueuePairs many = new ConnectedQueuePairs(endpoint, srq);
    for (int i = 0; i < count; i++) {
      many.add(new QpCap(1, 0, 1, 0, 0));
    }
    return many;
  }

  private void add(QpCap cap) {
    QpInitAttr attr = QpInitAttr.of(endpoint.type().qpType(), endpoint.cq, cap);
    QueuePair qp = endpoint.pd.createQp(srq == null ? attr : attr.withSrq(srq));
    endpoint.initialize(qp);
    qps.add(qp);
    addresses.add(new PeerAddress(0, qp.qpNum(), PingpongContext.randomPsn(), endpoint.gid()));
  }

  List<PeerAddress> addresses() {
    return addresses;
  }

  /** Moves each queue pair to RTS. */
  void connect(List<PeerAddress> peers) {
    PingpongType type = endpoint.type();
    for (int i = 0; i < qps.size(); i++) {
      QueuePair qp = qps.get(i);
      PeerAddress peer = peers.get(i);
      var path = endpoint.path(peer.gid());
      PingpongContext.modify(qp, type.rtr(peer, path, endpoint.pathMtu()));
      PingpongContext.modify(qp, type.rts(addresses.get(i).psn()));
      sends.add(type.addressed(endpoint.sendBy(qp), peer, () -> endpoint.pd.createAh(path)));
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
    List<RecvWr> receives = Collections.nCopies(count, endpoint.receive());
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
