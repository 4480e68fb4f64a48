// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoException;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program does wrong is refused with the errno of librdmacm, and one clear sentence. */
final class BadInputTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  private static void refused(Errno errno, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
        .hasMessageContaining(words);
  }

  private RdmaCmId id() {
    return hosts.channelA.createId(RdmaPortSpace.TCP);
  }

  @Test
  void addressesThatCannotBeBound() {
    RdmaCmId id = id();

    refused(
        Errno.EADDRNOTAVAIL, "10.0.0.9", () -> id.bindAddr(new InetSocketAddress("10.0.0.9", 1)));
    id.bindAddr(new InetSocketAddress("10.0.0.1", 80));
    refused(Errno.EINVAL, "it is bound", () -> id.bindAddr(new InetSocketAddress("10.0.0.1", 81)));
    refused(
        Errno.EADDRINUSE,
        "port 80 of 10.0.0.1 is in use",
        () -> id().bindAddr(new InetSocketAddress("10.0.0.1", 80)));
    refused(
        Errno.EADDRNOTAVAIL,
        "port 80 of 0.0.0.0 is in use",
        () -> id().bindAddr(new InetSocketAddress("0.0.0.0", 80)));
    hosts.channelA.createId(RdmaPortSpace.UDP).bindAddr(new InetSocketAddress("10.0.0.1", 80));
  }

  @Test
  void aLoopbackAddressOfNoDeviceStandsForAny() {
    id().bindAddr(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
    id().bindAddr(new InetSocketAddress(IpAddress.parse("::1"), 81));

    refused(
        Errno.EADDRNOTAVAIL,
        "port 80 of 10.0.0.1 is in use",
        () -> id().bindAddr(new InetSocketAddress("10.0.0.1", 80)));
    refused(
        Errno.EADDRNOTAVAIL, "port 81 of", () -> id().bindAddr(new InetSocketAddress("::", 81)));
  }

  private RdmaCmId sharing() {
    RdmaCmId id = id();
    id.setOption(new RdmaOption.ReuseAddress(true));
    return id;
  }

  /**
   * As a kernel was recorded; {@code rdma_listen} of cma.c checks the port as if none shared it.
   */
  @Test
  void whoListensHasItsPortForItself() {
    RdmaCmId one = sharing();
    RdmaCmId two = sharing();
    InetSocketAddress address = new InetSocketAddress("10.0.0.1", 80);
    one.bindAddr(address);
    two.bindAddr(address);

    refused(Errno.EADDRINUSE, "port 80", () -> one.listen(1));
    refused(Errno.EADDRINUSE, "port 80", () -> two.listen(1));
    one.close();
    two.listen(1);

    refused(Errno.EADDRINUSE, "port 80", () -> sharing().bindAddr(address));
  }

  /** An id of IPv6 stands for IPv4, too, unless its program says no. */
  @Test
  void aWildcardHasThePortOfBothFamilies() {
    id().bindAddr(new InetSocketAddress("0.0.0.0", 80));
    InetSocketAddress ofBoth = new InetSocketAddress("::", 80);
    RdmaCmId ofOne = id();
    ofOne.setOption(new RdmaOption.AddressFamilyOnly(true));

    refused(Errno.EADDRNOTAVAIL, "port 80", () -> id().bindAddr(ofBoth));

    ofOne.bindAddr(ofBoth);
  }

  /** As {@code net.ipv4.ip_local_port_range} of Linux has it: 32768 to 60999. */
  @Test
  void allPortsOfTheRangeAreHandedOutAndNoOther() {
    Set<Integer> ports = new TreeSet<>();
    for (int i = 0; i < 28_232; i++) {
      RdmaCmId id = id();
      id.bindAddr(new InetSocketAddress("10.0.0.1", 0));
      ports.add(id.srcPort());
    }

    assertThat(ports).hasSize(28_232);
    assertThat(ports.iterator().next()).isEqualTo(32_768);
    refused(Errno.EADDRINUSE, "in use", () -> id().bindAddr(new InetSocketAddress("10.0.0.1", 0)));
  }

  /** Three bits of a REQ: {@code min_t(u8, 7, ...)} of cma.c. */
  @ParameterizedTest
  @ValueSource(ints = {8, 14, 15, 255})
  void moreThanSevenRetriesAreSeven(int retries) {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();

    active.connect(RdmaConnParam.of(0, 0).withRetries(retries, retries));

    RdmaCmEvent request = RdmaHosts.next(hosts.channelB);
    assertThat(request.conn().retryCount()).isEqualTo(7);
    assertThat(request.conn().rnrRetryCount()).isEqualTo(7);
  }

  @Test
  void anIdThatListensHasNoQueuePair() {
    RdmaCmId listener = hosts.listener(RdmaPortSpace.TCP, 1);

    refused(Errno.EINVAL, "listens", () -> listener.createQp(null, RdmaHosts.attr(QpType.RC)));
    refused(Errno.EINVAL, "listens", () -> listener.initQpAttr(QpState.INIT));
    listener.disconnect();
  }

  /** {@code rdma_disconnect} of librdmacm fails the queue pair before it asks the kernel. */
  @Test
  void anIdThatIsNotConnectedFailsItsQueuePairAllTheSame() {
    RdmaCmId id = hosts.active();

    refused(Errno.EINVAL, "no connection", id::disconnect);

    assertThat(id.qp().query().qpState()).isEqualTo(QpState.ERR);
  }

  /** As {@code cm_init_qp_init_attr}: the kernel knows of the REJ before the program does. */
  @Test
  void anIdThatWasRejectedGetsNoQueuePair() {
    RdmaCmId id = hosts.routed(RdmaPortSpace.TCP);
    id.connect(RdmaConnParam.of(0, 0));
    hosts.emulator.run(Duration.ofMillis(1));

    refused(Errno.EINVAL, "ended", () -> id.createQp(null, RdmaHosts.attr(QpType.RC)));
    refused(Errno.EINVAL, "ended", () -> id.initQpAttr(QpState.INIT));
  }

  /** The type is not compared, but the attributes of INIT are those of the id. */
  @Test
  void aQueuePairNeedsTheAttributesOfTheId() {
    RdmaCmId id = hosts.routed(RdmaPortSpace.TCP);

    refused(Errno.EINVAL, "INIT", () -> id.createQp(null, RdmaHosts.attr(QpType.UD)));
    id.createQp(null, RdmaHosts.attr(QpType.UC));

    assertThat(id.qp().query().qpState()).isEqualTo(QpState.INIT);
  }

  @Test
  void callsThatDoNotFitTheState() {
    RdmaCmId id = id();

    refused(Errno.EINVAL, "bound to nothing", () -> id.resolveRoute(RdmaHosts.SOON));
    refused(Errno.EINVAL, "route is not resolved", () -> id.connect(RdmaConnParam.of(0, 0)));
    refused(Errno.EINVAL, "no request", () -> id.accept(RdmaConnParam.of(0, 0)));
    refused(Errno.EINVAL, "no request", id::reject);
    refused(Errno.EINVAL, "no connection", id::disconnect);
    refused(Errno.EINVAL, "not accepted", id::establish);
    refused(Errno.EINVAL, "nothing was accepted", () -> id.notify(EventType.COMM_EST));
    refused(Errno.EINVAL, "only COMM_EST", () -> id.notify(EventType.PORT_ERR));
    refused(Errno.EINVAL, "has a channel", id::getRequest);
    refused(Errno.EINVAL, "not bound to a device", () -> id.initQpAttr(QpState.INIT));
    refused(
        Errno.EINVAL, "not bound to a device", () -> id.createQp(null, RdmaHosts.attr(QpType.RC)));
    refused(Errno.EINVAL, "only USER", () -> id.writeCmEvent(RdmaCmEventType.ESTABLISHED, 0, null));
    refused(Errno.ENOENT, "no addresses", id::queryAddrinfo);
    refused(
        Errno.EINVAL,
        "no datagram service",
        () -> id.joinMulticast(new InetSocketAddress("239.1.2.3", 0), null));
    refused(
        Errno.EADDRNOTAVAIL,
        "has not joined",
        () -> id.leaveMulticast(new InetSocketAddress("239.1.2.3", 0)));
  }

  @Test
  void queuesThatDoNotFitTheId() {
    RdmaCmId id = hosts.routed(RdmaPortSpace.TCP);
    ProtectionDomain foreign = hosts.deviceA.open().allocPd();

    refused(Errno.EINVAL, "UD", () -> id.createQp(null, RdmaHosts.attr(QpType.UD)));
    refused(Errno.EINVAL, "context", () -> id.createQp(foreign, RdmaHosts.attr(QpType.RC)));
    QpInitAttr tooMany =
        new QpInitAttr(QpType.RC, null, null, null, new QpCap(1 << 30, 1, 1, 1, 0), true);
    refused(Errno.EINVAL, "1073741824", () -> id.createQp(null, tooMany));
    assertThat(id.qp()).isNull();
    assertThat(id.sendCq()).isNull();
    id.createQp(null, RdmaHosts.attr(QpType.RC));
    refused(Errno.EINVAL, "queue pair", () -> id.createQp(null, RdmaHosts.attr(QpType.RC)));
    id.createSrq(null, SrqAttr.of(4, 1));
    refused(Errno.EINVAL, "receive queue", () -> id.createSrq(null, SrqAttr.of(4, 1)));
  }

  @Test
  void attributesOfAConnectionThatIsNotThereYet() {
    RdmaCmId id = hosts.routed(RdmaPortSpace.TCP);

    assertThat(id.initQpAttr(QpState.INIT).qpState()).isEqualTo(QpState.INIT);
    refused(Errno.EINVAL, "the peer has not said", () -> id.initQpAttr(QpState.RTR));
    refused(Errno.EINVAL, "the peer has not said", () -> id.initQpAttr(QpState.RTS));
    refused(Errno.EINVAL, "SQD", () -> id.initQpAttr(QpState.SQD));
  }

  @Test
  void groupsThatCannotBeJoinedOrLeft() {
    RdmaCmId unbound = hosts.channelA.createId(RdmaPortSpace.UDP);
    InetSocketAddress group = new InetSocketAddress("239.1.2.3", 0);
    refused(Errno.EINVAL, "not bound", () -> unbound.joinMulticast(group, null));
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.UDP);
    id.bindAddr(new InetSocketAddress("10.0.0.1", 0));
    id.createQp(null, RdmaHosts.attr(QpType.UD));

    refused(
        Errno.EINVAL,
        "10.0.0.2",
        () -> id.joinMulticast(new InetSocketAddress("10.0.0.2", 0), null));
    refused(
        Errno.EINVAL,
        "another family",
        () -> id.joinMulticast(new InetSocketAddress("ff05::1", 0), null));
    RdmaCmId routed = hosts.routed(RdmaPortSpace.UDP);
    refused(
        Errno.EINVAL, "too late: its route is resolved", () -> routed.joinMulticast(group, null));

    id.joinMulticast(group, null);
    RdmaCmEvent joined = hosts.channelA.getCmEvent();
    assertThat(joined.event()).isEqualTo(RdmaCmEventType.MULTICAST_JOIN);
    refused(Errno.EBUSY, "not acknowledged", () -> id.leaveMulticast(group));
    joined.ack();
    id.leaveMulticast(group);
    refused(Errno.EADDRNOTAVAIL, "has not joined", () -> id.leaveMulticast(group));
  }

  /** {@code rdma_create_ep} destroys what it has made before it fails. */
  @Test
  void endpointsThatFailLeaveNothing() {
    RdmaAddrinfo absent = hosts.a.getaddrinfo("10.0.0.9", "7471", null).get(0);
    refused(Errno.ETIMEDOUT, "10.0.0.9", () -> hosts.a.createEp(absent, null, null));
    RdmaAddrinfo there = hosts.a.getaddrinfo("10.0.0.2", "7471", null).get(0);
    QpInitAttr tooMany =
        new QpInitAttr(QpType.RC, null, null, null, new QpCap(1 << 30, 1, 1, 1, 0), true);
    refused(Errno.EINVAL, "1073741824", () -> hosts.a.createEp(there, null, tooMany));
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaAddrinfo taken =
        hosts
            .b
            .getaddrinfo(
                "10.0.0.2", "7471", RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.PASSIVE))
            .get(0);
    refused(Errno.EADDRINUSE, "7471", () -> hosts.b.createEp(taken, null, null));

    assertThat(hosts.census()).isEqualTo("0 ids, 0 ends | 1 ids, 0 ends");
  }

  @Test
  void tooMuchPrivateDataAndTooManyReads() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId id = hosts.active();

    refused(
        Errno.EINVAL,
        "57 bytes of private data are more than 56",
        () -> id.connect(RdmaConnParam.of(0, 0).withPrivateData(new byte[57])));
    refused(Errno.EINVAL, "254 READs", () -> id.connect(RdmaConnParam.of(254, 0)));
    id.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = hosts.request();
    refused(Errno.EINVAL, "149 bytes", () -> passive.reject(new byte[149]));
    refused(Errno.EINVAL, "254 READs", () -> passive.accept(RdmaConnParam.of(254, 0)));
    passive.accept();
  }

  /** The reject label of {@code rdma_accept}: as a kernel was recorded. */
  @Test
  void anAcceptWithTooMuchPrivateDataRejects() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = hosts.request();

    refused(
        Errno.EINVAL,
        "197 bytes of private data are more than 196",
        () -> passive.accept(RdmaConnParam.of(0, 0).withPrivateData(new byte[197])));

    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);
    assertThat(event.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(event.status()).isEqualTo(28);
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.ERR);
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.ERR);
    refused(Errno.EINVAL, "no request", passive::accept);
  }

  @Test
  void anAcceptOfDatagramsWithTooMuchPrivateDataRejects() {
    hosts.listener(RdmaPortSpace.UDP, 1);
    RdmaCmId active = hosts.routed(RdmaPortSpace.UDP);
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = hosts.request();

    refused(
        Errno.EINVAL,
        "137 bytes of private data are more than 136",
        () -> passive.accept(RdmaConnParam.of(0, 0).withPrivateData(new byte[137])));

    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);
    assertThat(event.event()).isEqualTo(RdmaCmEventType.UNREACHABLE);
    assertThat(event.status()).isEqualTo(2);
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.ERR);
  }

  @Test
  void optionsOutOfRangeOrTooLate() {
    RdmaCmId id = id();

    refused(Errno.EINVAL, "TOS 256 is not 0 to 255", () -> id.setOption(new RdmaOption.Tos(256)));
    refused(Errno.EINVAL, "ACK_TIMEOUT 256", () -> id.setOption(new RdmaOption.AckTimeout(256)));
    RdmaCmId datagrams = hosts.routed(RdmaPortSpace.UDP);
    refused(
        Errno.EINVAL,
        "queue pairs of type UD have no ACK timeout of their own",
        () -> datagrams.setOption(new RdmaOption.AckTimeout(14)));
    RdmaCmId routed = hosts.routed(RdmaPortSpace.TCP);
    refused(
        Errno.EINVAL, "too late", () -> routed.setOption(new RdmaOption.AddressFamilyOnly(true)));
    refused(Errno.EINVAL, "too late", () -> routed.setOption(new RdmaOption.ReuseAddress(false)));
    RdmaCmId listener = hosts.listener(RdmaPortSpace.TCP, 1);
    refused(Errno.EINVAL, "too late", () -> listener.setOption(new RdmaOption.ReuseAddress(true)));
  }

  /** The option is a byte for Linux, and the queue pair has five bits. */
  @Test
  void anAckTimeoutThatNoQueuePairHasIsRefusedWhenItBecomesReady() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.setOption(new RdmaOption.AckTimeout(32));
    active.connect(RdmaConnParam.of(0, 0));
    hosts.request().accept();

    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);

    assertThat(event.event()).isEqualTo(RdmaCmEventType.CONNECT_ERROR);
    assertThat(event.explain()).contains("TIMEOUT 32 is not 0 to 31");
  }

  /** As {@code rdma_set_ack_timeout} of the kernel, which looks at no state. */
  @Test
  void aServerSetsItsAckTimeoutBeforeItAccepts() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(0, 0));
    RdmaCmId passive = hosts.request();

    passive.setOption(new RdmaOption.AckTimeout(9));
    passive.accept();

    assertThat(passive.qp().query().timeout()).isEqualTo(9);
  }

  @Test
  void anIdWithEventsThatAreNotAcknowledgedStays() {
    RdmaCmId id = id();
    id.writeCmEvent(RdmaCmEventType.USER, 5, "arg");
    RdmaCmEvent event = hosts.channelA.getCmEvent();
    assertThat(event.status()).isEqualTo(5);
    assertThat(event.arg()).isEqualTo("arg");

    refused(Errno.EBUSY, "1 event(s) of it are not acknowledged", id::close);

    event.ack();
    refused(Errno.EINVAL, "acknowledged before", event::ack);
    id.close();
    id.close();
    refused(Errno.EINVAL, "destroyed", () -> id.listen(1));
  }

  @Test
  void namesAndNumbersThatAreNoAddresses() {
    for (String service : List.of("no-such-service", "65536", "123456789012", "-1", "")) {
      assertThatThrownBy(() -> hosts.a.getaddrinfo("10.0.0.2", service, null))
          .isInstanceOfSatisfying(
              RdmaAddrinfoException.class,
              e -> assertThat(e.reason()).isEqualTo(RdmaAddrinfoException.Reason.SERVICE))
          .hasMessageContaining("service " + service + " is no port from 0 to 65535");
    }
    RdmaAddrinfo numeric = RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.NUMERICHOST);
    assertThatThrownBy(() -> hosts.a.getaddrinfo("host", "1", numeric))
        .isInstanceOfSatisfying(
            RdmaAddrinfoException.class,
            e -> assertThat(e.reason()).isEqualTo(RdmaAddrinfoException.Reason.NONAME));
    refused(
        Errno.EOPNOTSUPP,
        "subnet administrator",
        () ->
            hosts.a.getaddrinfo(
                "10.0.0.2", "1", RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.SA)));
  }

  /** The codes are those that getaddrinfo of glibc gives librdmacm for the same arguments. */
  @ParameterizedTest
  @CsvSource({
    "TCP, UD, -7",
    "UDP, RC, -7",
    "IPOIB, UC, -7",
    "UDP, XRC_SEND, -7",
  })
  void typesThatAPortSpaceDoesNotHave(RdmaPortSpace space, QpType type, int code) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(space).withQpType(type);

    assertThatThrownBy(() -> hosts.a.getaddrinfo("10.0.0.2", null, hints))
        .isInstanceOfSatisfying(
            RdmaAddrinfoException.class, e -> assertThat(e.reason().code()).isEqualTo(code))
        .hasMessageContaining("port space " + space + " has no queue pairs of type " + type);
  }

  @Test
  void nodesWithoutAnAddressOfTheFamily() {
    RdmaAddrinfo hints =
        RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.FAMILY)
            .withSrcAddr(new InetSocketAddress("fd00::1", 0));

    assertThatThrownBy(() -> hosts.a.getaddrinfo("10.0.0.2", "1", hints))
        .isInstanceOfSatisfying(
            RdmaAddrinfoException.class, e -> assertThat(e.reason().code()).isEqualTo(-9));
  }

  @Test
  void nothingToLookFor() {
    refused(Errno.EINVAL, "neither a node", () -> hosts.a.getaddrinfo(null, null, null));
  }

  @Test
  void aChannelThatIsDestroyedGivesNothing() {
    RdmaEventChannel channel = hosts.a.createEventChannel();
    channel.close();

    refused(Errno.EINVAL, "destroyed", channel::getCmEvent);
    refused(Errno.EINVAL, "destroyed", () -> channel.createId(RdmaPortSpace.TCP));
  }

  @Test
  void nothingIsThereWithoutWaiting() {
    assertThat(hosts.channelA.getCmEvent(Duration.ZERO)).isEmpty();
  }
}
