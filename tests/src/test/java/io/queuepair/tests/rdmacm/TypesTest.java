// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_RESPONSE;
import static io.queuepair.rdmacm.RdmaCmEventType.DISCONNECTED;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.rdmacm.RdmaPortSpace.TCP;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SrqAttr;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Queue pairs of all connected types, on the id and beside it, with shared receive queues. */
final class TypesTest {
  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  @Test
  void aRequestOfAnotherTypeIsRejected() {
    hosts.listener(QpType.RC);
    hosts.active(QpType.UC).connect();

    hosts.atA(REJECTED, 9);
  }

  /** A request of an initiator with 3 and 5 READs, 6 and 4 retries. */
  private RdmaCmId initiator() {
    hosts.listener(QpType.XRC_RECV);
    RdmaCmId active = hosts.active(QpType.XRC_SEND);
    active.connect(RdmaConnParam.of(3, 5).withRetries(6, 4));
    return active;
  }

  @Test
  void anXrcInitiatorIsConnectedToATarget() {
    RdmaCmId active = initiator();
    RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();
    passive.createSrq(null, SrqAttr.of(4, 1));
    RdmaHosts.withQp(passive).accept();
    hosts.atA(ESTABLISHED, active);
    hosts.atB(ESTABLISHED, passive);
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.RTS);
    assertThat(active.qp().query().destQpNum()).isEqualTo(passive.qp().qpNum());

    passive.srq().postRecv(RecvWr.of(1));
    active.qp().postSend(SendWr.send(2).toSrq(passive.srq().srqNum()));

    assertThat(passive.getRecvComp().wrId()).isEqualTo(1);
    assertThat(active.getSendComp().wrId()).isEqualTo(2);
    active.disconnect();
    hosts.atB(DISCONNECTED, passive);
  }

  /** As {@code cm_format_req} of Linux. */
  @Test
  void aRequestOfAnInitiatorLeavesOutWhatATargetCannotUse() {
    RdmaCmId active = initiator();

    RdmaConnParam request = hosts.atB(CONNECT_REQUEST).conn();

    assertThat(request.responderResources()).isEqualTo(5);
    assertThat(request.initiatorDepth()).isZero();
    assertThat(request.retryCount()).isZero();
    assertThat(request.rnrRetryCount()).isZero();
    assertThat(request.srq()).isFalse();
    assertThat(request.qpNum()).isEqualTo(active.qp().qpNum());
  }

  /** As {@code cm_format_rep} of Linux. */
  @Test
  void aTargetNamesItselfInTheFieldOfTheContext() {
    initiator().destroyQp(); // Without a queue pair on the id, the program sees the answer.
    hosts.atB(CONNECT_REQUEST).id().accept(RdmaConnParam.of(5, 2).withQp(0x1234, false));

    RdmaConnParam answer = hosts.atA(CONNECT_RESPONSE).conn();

    assertThat(answer.qpNum()).isEqualTo(0x1234);
    assertThat(answer.srq()).isTrue();
    assertThat(answer.initiatorDepth()).isEqualTo(5);
    assertThat(answer.responderResources()).isZero();
  }

  /** Its completion queue is that of the shared receive queue, which was made for the id. */
  @Test
  void aTargetHasNoQueueForReceivesOnceTheSharedReceiveQueueIsDestroyed() {
    initiator();
    RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();
    passive.createSrq(null, SrqAttr.of(4, 1));
    assertThat(RdmaHosts.withQp(passive).recvCq()).isNotNull();

    passive.destroySrq();

    assertThat(passive.recvCq()).isNull();
    assertThat(passive.recvCqChannel()).isNull();
  }

  private static QueuePair queuePair(Context context) {
    return context.allocPd().createQp(QpInitAttr.rc(context.createCq(8, null, 0), QpCap.of(4)));
  }

  @Test
  void queuePairsOfTheProgramsOwnGetTheirAttributes() {
    hosts.listener(TCP, 1);
    RdmaCmId active = hosts.routed(TCP);
    QueuePair own = queuePair(active.verbs());
    own.modify(active.initQpAttr(QpState.INIT));
    active.setLocalEce(new Ece(0x15b3, 7));
    active.connect(RdmaConnParam.of(1, 1).withQp(own.qpNum(), false));

    RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();
    assertThat(passive.getRemoteEce()).isEqualTo(new Ece(0x15b3, 7));
    QueuePair peers = queuePair(passive.verbs());
    passive.setLocalEce(new Ece(0x15b3, 3));
    peers.modify(passive.initQpAttr(QpState.INIT));
    peers.modify(passive.initQpAttr(QpState.RTR));
    passive.accept(RdmaConnParam.of(1, 1).withQp(peers.qpNum(), false));
    peers.modify(passive.initQpAttr(QpState.RTS));

    hosts.atA(CONNECT_RESPONSE, active);
    assertThat(active.getRemoteEce()).isEqualTo(new Ece(0x15b3, 3));
    own.modify(active.initQpAttr(QpState.RTR));
    own.modify(active.initQpAttr(QpState.RTS));
    active.establish();
    hosts.atB(ESTABLISHED, passive);
    assertThat(own.query().destQpNum()).isEqualTo(peers.qpNum());
    assertThat(own.query().rqPsn()).isEqualTo(peers.query().sqPsn());
    assertThat(peers.query().rqPsn()).isEqualTo(own.query().sqPsn());
  }

  /** With a queue pair in RTR the device itself tells of the first data: COMM_EST. */
  @Test
  void dataBeforeALostRtuIsToldByTheDevice() {
    hosts.inject("drop RTU");
    RdmaCmId active = hosts.connecting();
    RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();
    QueuePair peers = queuePair(passive.verbs());
    peers.modify(passive.initQpAttr(QpState.INIT));
    peers.modify(passive.initQpAttr(QpState.RTR));
    peers.postRecv(RecvWr.of(1));
    passive.accept(NOTHING.withQp(peers.qpNum(), false));
    hosts.atA(ESTABLISHED, active);

    active.postSend(2, Sge.inline(new byte[0]), SendFlag.INLINE);

    AsyncEvent event = passive.verbs().getAsyncEvent();
    passive.notify(event.eventType());
    passive.verbs().ackAsyncEvent(event);
    assertThat(event.eventType()).isEqualTo(EventType.COMM_EST);
    hosts.atB(ESTABLISHED, passive);
  }

  @Test
  void aSharedReceiveQueueOnTheIdIsUsed() {
    hosts.listener(TCP, 1);
    RdmaCmId active = hosts.routed(TCP);
    active.createSrq(null, SrqAttr.of(4, 1));
    RdmaHosts.withQp(active).connect();

    assertThat(hosts.atB(CONNECT_REQUEST).conn().srq()).isTrue();

    assertThat(active.qp().initAttr().srq()).isSameAs(active.srq());
  }
}
