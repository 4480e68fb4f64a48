// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Datagram services are found by SIDR, groups are joined. */
final class DatagramTest {
  private static final InetSocketAddress GROUP = new InetSocketAddress("239.1.2.3", 0);
  private static final int GRH_BYTES = 40;

  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  private RdmaCmId active() {
    RdmaCmId id = hosts.routed(RdmaPortSpace.UDP);
    id.createQp(null, RdmaHosts.attr(QpType.UD));
    return id;
  }

  @Test
  void aServiceIsFoundWithItsQueuePairAndUsed() {
    hosts.listener(RdmaPortSpace.UDP, 1);
    RdmaCmId active = active();
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.RTS);
    active.connect(RdmaConnParam.of(0, 0).withPrivateData(new byte[] {1, 2}));

    RdmaCmEvent request = RdmaHosts.next(hosts.channelB);
    assertThat(request.event()).isEqualTo(RdmaCmEventType.CONNECT_REQUEST);
    assertThat(RdmaHosts.bytes(request.ud().privateData())).hasSize(180).startsWith(1, 2, 0);
    RdmaCmId passive = request.id();
    passive.createQp(null, RdmaHosts.attr(QpType.UD));
    passive.accept(RdmaConnParam.of(0, 0).withPrivateData(new byte[] {3}));

    RdmaCmEvent established = RdmaHosts.next(hosts.channelA);
    assertThat(established.event()).isEqualTo(RdmaCmEventType.ESTABLISHED);
    RdmaUdParam peer = established.ud();
    assertThat(peer.qpNum()).isEqualTo(passive.qp().qpNum());
    assertThat(peer.qkey()).isEqualTo(RdmaUdParam.UDP_QKEY);
    assertThat(RdmaHosts.bytes(peer.privateData())).hasSize(136).startsWith(3, 0);
    send(active, passive, active.pd().createAh(peer.ahAttr()), peer.qpNum());
  }

  private static void send(RdmaCmId from, RdmaCmId to, AddressHandle ah, int qpn) {
    ByteBuffer received = ByteBuffer.allocateDirect(GRH_BYTES + 8);
    ByteBuffer sent = ByteBuffer.allocateDirect(8).putLong(0, 42);
    to.postRecv(1, to.regMsgs(received).sge());
    MemoryRegion region = from.regMsgs(sent);

    from.postUdSend(2, region.sge(), ah, qpn);

    assertThat(from.getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(to.getRecvComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(received.getLong(GRH_BYTES)).isEqualTo(42);
  }

  @Test
  void aServiceThatRejectsIsUnreachableWithStatusTwo() {
    hosts.listener(RdmaPortSpace.UDP, 1);
    active().connect(RdmaConnParam.of(0, 0));

    RdmaHosts.next(hosts.channelB).id().reject(new byte[] {9});

    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);
    assertThat(event.event()).isEqualTo(RdmaCmEventType.UNREACHABLE);
    assertThat(event.status()).isEqualTo(2);
    assertThat(RdmaHosts.bytes(event.ud().privateData())).startsWith(9);
  }

  @Test
  void aServiceThatIsNotThereIsUnreachableWithStatusOne() {
    active().connect(RdmaConnParam.of(0, 0));

    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);

    assertThat(event.event()).isEqualTo(RdmaCmEventType.UNREACHABLE);
    assertThat(event.status()).isEqualTo(1);
  }

  @Test
  void theAnswerCarriesOptionsOfEnhancedConnectionEstablishment() {
    hosts.listener(RdmaPortSpace.UDP, 1);
    RdmaCmId active = hosts.routed(RdmaPortSpace.UDP);
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = RdmaHosts.next(hosts.channelB).id();
    passive.setLocalEce(new Ece(0x15_b301, 5));
    passive.accept(RdmaConnParam.of(0, 0).withQp(0x77, false));

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    assertThat(active.getRemoteEce()).isEqualTo(new Ece(0x15_b301, 5));
  }

  @Test
  void aLostAnswerIsRepeatedWithoutASecondRequest() {
    hosts.emulator.injectFaults(FaultPlan.parse("drop 1st SIDR_REP"));
    hosts.listener(RdmaPortSpace.UDP, 1);
    RdmaCmId active = active();
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = RdmaHosts.next(hosts.channelB).id();

    passive.accept(RdmaConnParam.of(0, 0).withQp(0x77, false));

    assertThat(RdmaHosts.next(hosts.channelA).ud().qpNum()).isEqualTo(0x77);
    assertThat(hosts.channelB.getCmEvent(RdmaHosts.SOON)).isEmpty();
  }

  @Test
  void tooMuchPrivateDataIsRefused() {
    RdmaCmId active = active();

    assertThatThrownBy(() -> active.connect(RdmaConnParam.of(0, 0).withPrivateData(new byte[181])))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("181 bytes of private data are more than 180");
  }

  @Test
  void groupsOfIpv6AreNotJoined() {
    try (RdmaHosts six = new RdmaHosts(InMemoryFabric.virtualTime(), "fd00::1", "fd00::2")) {
      RdmaCmId id = six.channelA.createId(RdmaPortSpace.UDP);
      id.bindAddr(new InetSocketAddress("fd00::1", 0));

      assertThatThrownBy(() -> id.joinMulticast(new InetSocketAddress("ff0e::1", 0), null))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
          .hasMessageContaining("groups of IPv4 only");
    }
  }

  private static RdmaCmId member(RdmaEventChannel channel, String address, RdmaMcJoinFlag flag) {
    RdmaCmId id = channel.createId(RdmaPortSpace.UDP);
    id.bindAddr(new InetSocketAddress(address, 0));
    id.createQp(null, RdmaHosts.attr(QpType.UD));
    id.joinMulticastEx(GROUP, flag, "context");
    return id;
  }

  @Test
  void membersOfAGroupReceiveWhatIsSentToIt() {
    RdmaCmId sender = member(hosts.channelA, "10.0.0.1", RdmaMcJoinFlag.SENDONLY_FULLMEMBER);
    RdmaCmId receiver = member(hosts.channelB, "10.0.0.2", RdmaMcJoinFlag.FULLMEMBER);
    RdmaCmEvent joined = RdmaHosts.next(hosts.channelA);
    assertThat(joined.event()).isEqualTo(RdmaCmEventType.MULTICAST_JOIN);
    assertThat(joined.arg()).isEqualTo("context");
    assertThat(joined.ud().qpNum()).isEqualTo(0xff_ffff);
    assertThat(joined.ud().ahAttr().grh().hopLimit()).isEqualTo(64);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.MULTICAST_JOIN, receiver);

    AddressHandle ah = sender.pd().createAh(joined.ud().ahAttr());
    send(sender, receiver, ah, joined.ud().qpNum());

    receiver.leaveMulticast(GROUP);
    assertThatThrownBy(() -> receiver.leaveMulticast(GROUP))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL));
    receiver.close();
    sender.close();
  }
}
