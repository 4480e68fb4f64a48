// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code rdma_set_option} changes, seen at queue pairs, paths and requests. */
final class OptionsTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  /** Connects an id with an option set before its address is resolved; returns both ends. */
  private RdmaCmId[] connected(RdmaOption option) {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.channelA.createId(RdmaPortSpace.TCP);
    active.setOption(option);
    active.resolveAddr(null, hosts.toB(), RdmaHosts.SOON);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ADDR_RESOLVED, active);
    active.resolveRoute(RdmaHosts.SOON);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ROUTE_RESOLVED, active);
    active.createQp(null, RdmaHosts.attr(QpType.RC));
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = hosts.request();
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    return new RdmaCmId[] {active, passive};
  }

  /** As in C, where flags are combined by OR. */
  @Test
  void aHintThatIsGivenTwiceCountsOnce() {
    RdmaAddrinfo hints =
        RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.PASSIVE, RdmaAddrinfoFlag.PASSIVE);

    assertThat(hints.flags()).containsExactly(RdmaAddrinfoFlag.PASSIVE);
  }

  @Test
  void tosIsTheTrafficClassOfBothSides() {
    RdmaCmId[] ends = connected(new RdmaOption.Tos(0x68));

    assertThat(ends[0].route().orElseThrow().trafficClass()).isEqualTo(0x68);
    assertThat(ends[0].qp().query().ahAttr().grh().trafficClass()).isEqualTo(0x68);
    assertThat(ends[1].qp().query().ahAttr().grh().trafficClass()).isEqualTo(0x68);
  }

  /** Otherwise both have 17: packet lifetime 16 and ACK delay 15, rdma_cm of Linux. */
  @Test
  void theAckTimeoutIsThatOfBothQueuePairs() {
    RdmaCmId[] ends = connected(new RdmaOption.AckTimeout(9));

    assertThat(ends[0].qp().query().timeout()).isEqualTo(9);
    assertThat(ends[1].qp().query().timeout()).isEqualTo(9);
    RdmaCmId[] computed = connectedAgain();
    assertThat(computed[0].qp().query().timeout()).isEqualTo(17);
    assertThat(computed[1].qp().query().timeout()).isEqualTo(17);
  }

  /** Only these have requesters that wait for an ACK, as {@code rdma_set_ack_timeout} checks. */
  @ParameterizedTest
  @EnumSource(names = {"RC", "XRC_SEND"})
  void reliableTypesHaveAnAckTimeout(QpType type) {
    try (RdmaCmId id = endpoint(type)) {
      assertThatCode(() -> id.setOption(new RdmaOption.AckTimeout(9))).doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"UC", "XRC_RECV"})
  void otherTypesHaveNone(QpType type) {
    try (RdmaCmId id = endpoint(type)) {
      assertThatThrownBy(() -> id.setOption(new RdmaOption.AckTimeout(9)))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
  }

  private RdmaCmId endpoint(QpType type) {
    RdmaAddrinfo hints =
        RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.PASSIVE).withQpType(type);
    return hosts.b.createEp(hosts.b.getaddrinfo(hosts.addressB, "7471", hints).get(0), null, null);
  }

  /** The kernel refuses it in no state; what was resolved before stays. */
  @Test
  void tosAfterTheRouteIsOfNoEffect() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();

    active.setOption(new RdmaOption.Tos(0x68));
    active.connect(RdmaConnParam.of(0, 0));
    hosts.request().accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    assertThat(active.route().orElseThrow().trafficClass()).isZero();
    assertThat(active.qp().query().ahAttr().grh().trafficClass()).isZero();
  }

  @Test
  void anIdThatIsBoundCanStillBeForOneFamily() {
    RdmaCmId only = hosts.channelB.createId(RdmaPortSpace.TCP);
    only.bindAddr(new InetSocketAddress("::", RdmaHosts.PORT));
    only.setOption(new RdmaOption.AddressFamilyOnly(true));
    only.listen(1);
    hosts.active().connect(RdmaConnParam.of(0, 0));

    assertThat(RdmaHosts.next(hosts.channelA).status()).isEqualTo(8);
  }

  @Test
  void aPortCanBeSharedWithAnIdThatIsBoundAlready() {
    InetSocketAddress address = new InetSocketAddress("10.0.0.1", 80);
    RdmaCmId first = hosts.channelA.createId(RdmaPortSpace.TCP);
    first.bindAddr(address);
    first.setOption(new RdmaOption.ReuseAddress(true));
    RdmaCmId second = hosts.channelA.createId(RdmaPortSpace.TCP);
    second.setOption(new RdmaOption.ReuseAddress(true));

    second.bindAddr(address);

    assertThat(second.localAddr()).isEqualTo(address);
  }

  private RdmaCmId[] connectedAgain() {
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmEvent event = RdmaHosts.next(hosts.channelB);
    RdmaCmId passive =
        event.event() == RdmaCmEventType.ESTABLISHED
            ? RdmaHosts.next(hosts.channelB).id()
            : event.id();
    passive.createQp(null, RdmaHosts.attr(QpType.RC));
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    return new RdmaCmId[] {active, passive};
  }

  /**
   * A REQ with hop limit 0 or 1 is from the own subnet, and 0 in an address vector would be the
   * default of the device.
   */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "2, 2", "255, 255"})
  void theHopLimitOfThePathIsThatOfTheWayBack(int asked, int expected) {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaPath path = hosts.routed(RdmaPortSpace.TCP).route().orElseThrow();
    RdmaCmId active = hosts.channelA.createId(RdmaPortSpace.TCP);
    active.resolveAddr(null, hosts.toB(), RdmaHosts.SOON);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ADDR_RESOLVED, active);

    active.setOption(
        new RdmaOption.IbPath(
            new RdmaPath(
                path.sgid(),
                path.dgid(),
                path.mtu(),
                path.pkey(),
                path.flowLabel(),
                path.trafficClass(),
                asked,
                path.packetLifeTime())));
    active.createQp(null, RdmaHosts.attr(QpType.RC));
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = hosts.request();
    passive.accept();

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    assertThat(passive.route().orElseThrow().hopLimit()).isEqualTo(expected);
    assertThat(passive.qp().query().ahAttr().grh().hopLimit()).isEqualTo(expected);
  }

  @Test
  void aPathOfTheProgramStandsForTheRoute() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaPath found = hosts.routed(RdmaPortSpace.TCP).route().orElseThrow();
    RdmaCmId active = hosts.channelA.createId(RdmaPortSpace.TCP);
    active.resolveAddr(null, hosts.toB(), RdmaHosts.SOON);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ADDR_RESOLVED, active);

    active.setOption(new RdmaOption.IbPath(found.withMtu(Mtu.MTU_512)));
    active.createQp(null, RdmaHosts.attr(QpType.RC));
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = hosts.request();
    passive.accept();

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    assertThat(active.qp().query().pathMtu()).isEqualTo(Mtu.MTU_512);
    assertThat(passive.qp().query().pathMtu()).isEqualTo(Mtu.MTU_512);
  }

  @Test
  void theWildcardOfIpv6TakesBothFamiliesUnlessItIsForOne() {
    try (RdmaHosts both = new RdmaHosts()) {
      RdmaCmId all = both.channelB.createId(RdmaPortSpace.TCP);
      all.bindAddr(new InetSocketAddress("::", RdmaHosts.PORT));
      all.listen(1);
      both.active().connect(RdmaConnParam.of(0, 0));
      assertThat(RdmaHosts.next(both.channelB).listenId()).isSameAs(all);
    }
    RdmaCmId only = hosts.channelB.createId(RdmaPortSpace.TCP);
    only.setOption(new RdmaOption.AddressFamilyOnly(true));
    only.bindAddr(new InetSocketAddress("::", RdmaHosts.PORT));
    only.listen(1);
    hosts.active().connect(RdmaConnParam.of(0, 0));

    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);

    assertThat(rejected.status()).isEqualTo(8);
    hosts.listener(RdmaPortSpace.TCP, 1); // Both listen at one port, each for its family.
  }

  @Test
  void aPortThatIsSharedNeedsTheOptionOnBothIds() {
    InetSocketAddress address = new InetSocketAddress("10.0.0.1", 80);
    RdmaCmId first = hosts.channelA.createId(RdmaPortSpace.TCP);
    first.bindAddr(address);
    RdmaCmId second = hosts.channelA.createId(RdmaPortSpace.TCP);
    second.setOption(new RdmaOption.ReuseAddress(true));

    assertThatThrownBy(() -> second.bindAddr(address))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE));

    first.close();
    second.bindAddr(address);
  }
}
