// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
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
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queue pairs of all connected types, on the id and beside it, with shared receive queues. */
final class TypesTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  /** An endpoint of the second host that listens for a type, its events on the channel. */
  private RdmaCmId listener(QpType type) {
    RdmaAddrinfo passive =
        hosts
            .b
            .getaddrinfo(
                "10.0.0.2",
                "7471",
                RdmaAddrinfo.hints(RdmaPortSpace.TCP, io.queuepair.rdmacm.RdmaAddrinfoFlag.PASSIVE)
                    .withQpType(type))
            .get(0);
    RdmaCmId id = hosts.b.createEp(passive, null, null);
    id.migrate(hosts.channelB);
    id.listen(1);
    return id;
  }

  private RdmaCmId active(QpType type) {
    RdmaAddrinfo res =
        hosts
            .a
            .getaddrinfo("10.0.0.2", "7471", RdmaAddrinfo.hints(RdmaPortSpace.TCP).withQpType(type))
            .get(0);
    RdmaCmId id = hosts.a.createEp(res, null, RdmaHosts.attr(type));
    id.migrate(hosts.channelA);
    return id;
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC"})
  void connectedTypesComeToReady(QpType type) {
    listener(type);
    RdmaCmId active = active(type);

    active.connect();
    RdmaCmId passive = hosts.request();
    passive.accept();

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.RTS);
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.RTS);
  }

  @Test
  void anXrcInitiatorIsConnectedToATarget() {
    listener(QpType.XRC_RECV);
    RdmaCmId active = active(QpType.XRC_SEND);
    active.connect();
    RdmaCmEvent request = RdmaHosts.next(hosts.channelB);
    RdmaCmId passive = request.id();
    passive.createSrq(null, SrqAttr.of(4, 1));
    passive.createQp(null, RdmaHosts.attr(QpType.XRC_RECV));

    passive.accept();

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.RTS);
    passive.srq().postRecv(RecvWr.of(1));
    active.qp().postSend(SendWr.send(2).toSrq(passive.srq().srqNum()));
    assertThat(passive.getRecvComp().wrId()).isEqualTo(1);
    assertThat(active.getSendComp().wrId()).isEqualTo(2);
    passive.close();
    active.close();
  }

  /** Its completion queue is that of the shared receive queue, which was made for the id. */
  @Test
  void aTargetHasNoQueueForReceivesOnceTheSharedReceiveQueueIsDestroyed() {
    listener(QpType.XRC_RECV);
    active(QpType.XRC_SEND).connect();
    RdmaCmId passive = RdmaHosts.next(hosts.channelB).id();
    passive.createSrq(null, SrqAttr.of(4, 1));
    passive.createQp(null, RdmaHosts.attr(QpType.XRC_RECV));
    assertThat(passive.recvCq()).isNotNull();

    passive.destroySrq();

    assertThat(passive.recvCq()).isNull();
    assertThat(passive.recvCqChannel()).isNull();
  }

  @Test
  void aRequestOfAnotherTypeIsRejected() {
    listener(QpType.RC);
    active(QpType.UC).connect();

    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);

    assertThat(rejected.status()).isEqualTo(9);
  }

  @Test
  void queuePairsOfTheProgramsOwnGetTheirAttributes() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.routed(RdmaPortSpace.TCP);
    QueuePair own = queuePair(active.verbs());
    own.modify(active.initQpAttr(QpState.INIT));
    active.setLocalEce(new Ece(0x15b3, 7));
    active.connect(RdmaConnParam.of(1, 1).withQp(own.qpNum(), false));
    RdmaCmEvent request = RdmaHosts.next(hosts.channelB);
    RdmaCmId passive = request.id();
    assertThat(passive.getRemoteEce()).isEqualTo(new Ece(0x15b3, 7));
    QueuePair peers = queuePair(passive.verbs());
    passive.setLocalEce(new Ece(0x15b3, 3));
    peers.modify(passive.initQpAttr(QpState.INIT));
    peers.modify(passive.initQpAttr(QpState.RTR));
    passive.accept(RdmaConnParam.of(1, 1).withQp(peers.qpNum(), false));
    peers.modify(passive.initQpAttr(QpState.RTS));

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.CONNECT_RESPONSE, active);
    assertThat(active.getRemoteEce()).isEqualTo(new Ece(0x15b3, 3));
    own.modify(active.initQpAttr(QpState.RTR));
    own.modify(active.initQpAttr(QpState.RTS));
    active.establish();

    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    assertThat(own.query().destQpNum()).isEqualTo(peers.qpNum());
    assertThat(own.query().rqPsn()).isEqualTo(peers.query().sqPsn());
    assertThat(peers.query().rqPsn()).isEqualTo(own.query().sqPsn());
  }

  /** With a queue pair in RTR the device itself tells of the first data: COMM_EST. */
  @Test
  void dataBeforeALostRtuIsToldByTheDevice() {
    hosts.emulator.injectFaults(FaultPlan.parse("drop RTU"));
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(1, 1));
    RdmaCmId passive = RdmaHosts.next(hosts.channelB).id();
    QueuePair peers = queuePair(passive.verbs());
    peers.modify(passive.initQpAttr(QpState.INIT));
    peers.modify(passive.initQpAttr(QpState.RTR));
    peers.postRecv(RecvWr.of(1));
    passive.accept(RdmaConnParam.of(1, 1).withQp(peers.qpNum(), false));
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    active.postSend(2, Sge.inline(new byte[0]), SendFlag.INLINE);

    AsyncEvent event = passive.verbs().getAsyncEvent();
    passive.notify(event.eventType());
    passive.verbs().ackAsyncEvent(event);

    assertThat(event.eventType()).isEqualTo(EventType.COMM_EST);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
  }

  @Test
  void aQueuePairThatCannotBecomeReadyIsAConnectError() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(1, 1));
    RdmaCmId passive = hosts.request();
    passive.accept();
    active.qp().modify(readyToReceive(active)); // From here there is no way to INIT.

    RdmaCmEvent failed = RdmaHosts.next(hosts.channelA);

    assertThat(failed.event()).isEqualTo(RdmaCmEventType.CONNECT_ERROR);
    assertThat(failed.status()).isEqualTo(-1);
    assertThat(failed.explain()).startsWith("The queue pair could not be made ready");
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.ERR);
    active.close();
    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelB);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(28);
  }

  private static QpAttr readyToReceive(RdmaCmId id) {
    RdmaPath path = id.route().orElseThrow();
    return QpAttr.to(QpState.RTR)
        .ahAttr(AhAttr.to(path.dgid()))
        .pathMtu(path.mtu())
        .destQpNum(1)
        .rqPsn(0)
        .maxDestRdAtomic(1)
        .minRnrTimer(0);
  }

  private static QueuePair queuePair(Context context) {
    ProtectionDomain pd = context.allocPd();
    return pd.createQp(QpInitAttr.rc(context.createCq(8, null, 0), QpCap.of(4)));
  }

  @Test
  void aSharedReceiveQueueOnTheIdIsUsed() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.routed(RdmaPortSpace.TCP);
    active.createSrq(null, SrqAttr.of(4, 1));
    active.createQp(null, RdmaHosts.attr(QpType.RC));
    active.connect();

    RdmaCmEvent request = RdmaHosts.next(hosts.channelB);

    assertThat(request.conn().srq()).isTrue();
    assertThat(active.qp().initAttr().srq()).isSameAs(active.srq());
    active.close();
  }

  @Test
  void aWildcardTakesRequestsOfAllAddresses() {
    RdmaCmId listener = hosts.channelB.createId(RdmaPortSpace.TCP);
    listener.bindAddr(new InetSocketAddress("0.0.0.0", RdmaHosts.PORT));
    listener.listen(0);
    assertThat(listener.verbs()).isNull();
    RdmaCmId active = hosts.active();

    active.connect();

    RdmaCmId passive = hosts.request();
    assertThat(passive.localAddr()).isEqualTo(hosts.toB());
    assertThat(passive.verbs()).isSameAs(hosts.b.getDevices().get(0));
  }

  @Test
  void anIdMovesToAnotherChannelWithItsEvents() {
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.TCP);
    id.writeCmEvent(RdmaCmEventType.USER, 1, null);
    try (var other = hosts.a.createEventChannel()) {
      id.migrate(other);

      assertThat(hosts.channelA.getCmEvent(Duration.ZERO)).isEmpty();
      RdmaHosts.expect(other, RdmaCmEventType.USER, id);
      assertThat(id.channel()).isSameAs(other);
      id.close();
    }
  }

  @Test
  void anIdStaysWhereItsEventIsNotAcknowledged() {
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.TCP);
    id.writeCmEvent(RdmaCmEventType.USER, 1, null);
    try (var other = hosts.a.createEventChannel()) {
      RdmaCmEvent event = hosts.channelA.getCmEvent();

      assertThatThrownBy(() -> id.migrate(other))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));

      assertThat(id.channel()).isSameAs(hosts.channelA);
      event.ack();
      id.migrate(other);
      id.close();
    }
  }

  @Test
  void anIdBecomesSynchronousOnce() {
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.TCP);

    id.migrate(null);

    assertThat(id.channel()).isNull();
    id.resolveAddr(null, hosts.toB(), RdmaHosts.SOON);
    assertThat(id.event().event()).isEqualTo(RdmaCmEventType.ADDR_RESOLVED);
    assertThatThrownBy(() -> id.migrate(null))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }
}
