// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaCmEventType.MULTICAST_JOIN;
import static io.queuepair.rdmacm.RdmaCmEventType.UNREACHABLE;
import static io.queuepair.rdmacm.RdmaPortSpace.UDP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static io.queuepair.tests.rdmacm.RdmaHosts.address;
import static io.queuepair.verbs.Errno.EOPNOTSUPP;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagram services are found by SIDR, groups are joined, and ports lead to their space. */
final class DatagramTest {
  private static final InetSocketAddress GROUP = address("239.1.2.3", 0);
  private static final int GRH_BYTES = 40;

  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  private static void send(RdmaCmId from, RdmaCmId to, AddressHandle ah, int qpn) {
    ByteBuffer received = ByteBuffer.allocateDirect(GRH_BYTES + 8);
    to.postRecv(1, to.regMsgs(received).sge());

    from.postUdSend(2, from.regMsgs(ByteBuffer.allocateDirect(8).putLong(0, 42)).sge(), ah, qpn);

    assertThat(from.getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(to.getRecvComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(received.getLong(GRH_BYTES)).isEqualTo(42);
  }

  @Test
  void aServiceIsFoundWithItsQueuePairAndUsed() {
    hosts.listener(UDP, 1);
    RdmaCmId active = RdmaHosts.withQp(hosts.routed(UDP));
    active.connect(NOTHING.withPrivateData(new byte[] {1, 2}));
    RdmaCmEvent request = hosts.atB(CONNECT_REQUEST);
    assertThat(RdmaHosts.bytes(request.ud().privateData())).hasSize(180).startsWith(1, 2, 0);
    RdmaCmId passive = RdmaHosts.withQp(request.id());

    passive.accept(NOTHING);

    RdmaUdParam peer = hosts.atA(ESTABLISHED).ud();
    assertThat(peer.qpNum()).isEqualTo(passive.qp().qpNum());
    assertThat(peer.qkey()).isEqualTo(RdmaUdParam.UDP_QKEY);
    send(active, passive, active.pd().createAh(peer.ahAttr()), peer.qpNum());
  }

  @Test
  void aServiceThatIsNotThereIsUnreachableWithStatusOne() {
    hosts.routed(UDP).connect(NOTHING);

    hosts.atA(UNREACHABLE, 1);
  }

  @Test
  void groupsOfIpv6AreNotJoined() {
    try (RdmaHosts six =
        new RdmaHosts(
            InMemoryFabric.virtualTime(), DeviceProfile.standard(), "fd00::1", "fd00::2")) {
      RdmaCmId id = six.channelA.createId(UDP);
      id.bindAddr(address("fd00::1", 0));
      InetSocketAddress group = address("ff0e::1", 0);
      assertRefused(EOPNOTSUPP, "groups of IPv4 only", () -> id.joinMulticast(group, null));
    }
  }

  private static RdmaCmId member(RdmaEventChannel channel, String address, RdmaMcJoinFlag flag) {
    RdmaCmId id = channel.createId(UDP);
    id.bindAddr(address(address, 0));
    RdmaHosts.withQp(id).joinMulticastEx(GROUP, flag, "context");
    return id;
  }

  @Test
  void membersOfAGroupReceiveWhatIsSentToIt() {
    RdmaCmId sender = member(hosts.channelA, "10.0.0.1", RdmaMcJoinFlag.SENDONLY_FULLMEMBER);
    RdmaCmId receiver = member(hosts.channelB, "10.0.0.2", RdmaMcJoinFlag.FULLMEMBER);

    RdmaCmEvent joined = hosts.atA(MULTICAST_JOIN);

    assertThat(joined.arg()).isEqualTo("context");
    assertThat(joined.ud().qpNum()).isEqualTo(0xff_ffff);
    assertThat(joined.ud().ahAttr().grh().hopLimit()).isEqualTo(64);
    hosts.atB(MULTICAST_JOIN, receiver);
    send(sender, receiver, sender.pd().createAh(joined.ud().ahAttr()), joined.ud().qpNum());
  }

  @ParameterizedTest
  @CsvSource({"TCP, RC", "UDP, UD", "IB, RC", "IPOIB, UD"})
  void aRequestReachesTheListenerOfItsSpace(RdmaPortSpace space, QpType type) {
    for (RdmaPortSpace each : RdmaPortSpace.values()) {
      hosts.listener(each, 1);
    }
    RdmaCmId active = hosts.routed(space);
    assertThat(active.qpType()).isEqualTo(type);
    RdmaHosts.withQp(active).connect(NOTHING);

    RdmaCmId passive = hosts.request();

    assertThat(passive.ps()).isEqualTo(space);
    passive.accept();
    hosts.atA(ESTABLISHED, active);
  }
}
