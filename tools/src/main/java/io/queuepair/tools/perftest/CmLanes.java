// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.tools.cli.DatagramPeer;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.Set;

/** Connects the queue pairs that are measured through the connection manager, one by one. */
record CmLanes(CmSession session, PerftestSettings settings, PerftestContext endpoint) {
  private static final int RETRIES = 7;

  /** The datagram that tells the queue pair it comes from carries the number as its immediate. */
  private static final int QPN_BYTES = Integer.BYTES;

  /** Connects all. */
  void connect() {
    for (int lane = 0; lane < settings.options().queuePairs; lane++) {
      if (settings.isServer()) {
        session.accept(this::accept);
      } else {
        connectNext();
      }
    }
    session.stopListening();
  }

  private void connectNext() {
    int outReads = settings.operation().isAnswered() ? endpoint.outReads() : 0;
    RdmaConnParam parameters = RdmaConnParam.of(outReads, outReads).withRetries(RETRIES, RETRIES);
    RdmaUdParam[] datagrams = new RdmaUdParam[1];
    RdmaCmId id =
        session.connect(
            this::createQp,
            parameters,
            established -> {
              if (settings.service() == QpType.UD) {
                datagrams[0] = established.ud();
              }
            });
    QpChannel lane = endpoint.addLane(id.qp());
    if (datagrams[0] != null) {
      RdmaUdParam peer = datagrams[0];
      lane.sendTo(
          new DatagramPeer(endpoint.pd().createAh(peer.ahAttr()), peer.qpNum(), peer.qkey()));
      if (mustKnowClient()) {
        tellQpn(lane);
      }
    }
  }

  private void createQp(RdmaCmId id) {
    id.createQp(endpoint.pd(), endpoint.qpInitAttr());
  }

  /** A server of datagrams that sends has to know where to. */
  private boolean mustKnowClient() {
    return settings.service() == QpType.UD && (settings.isLatency() || settings.isBidirectional());
  }

  private void tellQpn(QpChannel lane) {
    SendWr send =
        new SendWr.SendWithImm(
            0,
            List.of(lane.outgoing().sge(0, QPN_BYTES)),
            Set.of(SendFlag.SIGNALED),
            lane.qp().qpNum());
    DatagramPeer peer = lane.datagramPeer();
    lane.qp().postSend(send.to(peer.ah(), peer.qpn(), peer.qkey()));
    CompletionPoller sends = new CompletionPoller(endpoint.sendCq(), "send");
    BackoffWait backoffWait = new BackoffWait();
    while (sends.poll() == 0) {
      backoffWait.pause("the number of the own queue pair is not sent");
    }
  }

  private void accept(RdmaCmEvent request) {
    RdmaCmId id = request.id();
    createQp(id);
    QpChannel lane = endpoint.addLane(id.qp());
    if (mustKnowClient()) {
      lane.postReceives(QPN_BYTES, 1);
    }
    if (settings.service() == QpType.RC) {
      id.setOption(new RdmaOption.AckTimeout(settings.options().ackTimeout));
    }
    id.accept(answer(request).withRetries(RETRIES, RETRIES));
    if (mustKnowClient()) {
      lane.sendTo(client(lane, id));
    }
  }

  /** No more outstanding than both sides can. */
  private RdmaConnParam answer(RdmaCmEvent request) {
    if (!settings.operation().isAnswered()) {
      return RdmaConnParam.of(0, 0);
    }
    RdmaConnParam asked = request.conn();
    return RdmaConnParam.of(
        Math.min(endpoint.outReads(), asked.responderResources()),
        Math.min(endpoint.outReads(), asked.initiatorDepth()));
  }

  private DatagramPeer client(QpChannel lane, RdmaCmId id) {
    CompletionPoller receives = new CompletionPoller(endpoint.recvCq(), "receive");
    BackoffWait backoffWait = new BackoffWait();
    while (receives.poll() == 0) {
      backoffWait.pause("the client does not tell the number of its queue pair");
    }
    WorkCompletion received = receives.completion(0);
    var ah =
        endpoint
            .pd()
            .createAhFromWc(
                received, lane.incoming().buffer().slice(0, QpChannel.GRH_BYTES), id.portNum());
    return new DatagramPeer(ah, received.immData(), id.qp().query().qkey());
  }
}
