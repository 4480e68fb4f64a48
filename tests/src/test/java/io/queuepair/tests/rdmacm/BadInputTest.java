// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_ERROR;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaCmEventType.MULTICAST_JOIN;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.rdmacm.RdmaCmEventType.UNREACHABLE;
import static io.queuepair.rdmacm.RdmaCmEventType.USER;
import static io.queuepair.rdmacm.RdmaPortSpace.TCP;
import static io.queuepair.rdmacm.RdmaPortSpace.UDP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static io.queuepair.tests.rdmacm.RdmaHosts.SOON;
import static io.queuepair.tests.rdmacm.RdmaHosts.address;
import static io.queuepair.tests.rdmacm.RdmaHosts.attr;
import static io.queuepair.verbs.Errno.EADDRINUSE;
import static io.queuepair.verbs.Errno.EADDRNOTAVAIL;
import static io.queuepair.verbs.Errno.EBUSY;
import static io.queuepair.verbs.Errno.EINVAL;
import static io.queuepair.verbs.Errno.ENOENT;
import static io.queuepair.verbs.Errno.ETIMEDOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqAttr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong calls of a program are refused with the errno of librdmacm, and one clear sentence. */
final class BadInputTest {
  private static final String IN_USE = "port 80 of 10.0.0.1 is in use";
  private static final InetSocketAddress PORT_80 = address("10.0.0.1", 80);
  private static final InetSocketAddress GROUP = address("239.1.2.3", 0);
  private static final QpInitAttr TOO_MANY =
      new QpInitAttr(QpType.RC, null, null, null, new QpCap(1 << 30, 1, 1, 1, 0), true);

  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  private RdmaCmId id() {
    return hosts.channelA.createId(TCP);
  }

  @Test
  void addressesThatCannotBeBound() {
    RdmaCmId id = id();
    assertRefused(EADDRNOTAVAIL, "10.0.0.9", () -> id.bindAddr(address("10.0.0.9", 1)));
    id.bindAddr(PORT_80);
    assertRefused(EINVAL, "it is bound", () -> id.bindAddr(address("10.0.0.1", 81)));
    assertRefused(EADDRINUSE, IN_USE, () -> id().bindAddr(PORT_80));
    assertRefused(
        EADDRNOTAVAIL, "80 of 0.0.0.0 is in use", () -> id().bindAddr(address("0.0.0.0", 80)));
    hosts.channelA.createId(UDP).bindAddr(PORT_80);
  }

  @Test
  void aLoopbackAddressOfNoDeviceStandsForAny() {
    id().bindAddr(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
    id().bindAddr(address("::1", 81));
    assertRefused(EADDRNOTAVAIL, IN_USE, () -> id().bindAddr(PORT_80));
    assertRefused(EADDRNOTAVAIL, "port 81 of", () -> id().bindAddr(address("::", 81)));
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
    one.bindAddr(PORT_80);
    two.bindAddr(PORT_80);
    assertRefused(EADDRINUSE, "port 80", () -> one.listen(1));
    assertRefused(EADDRINUSE, "port 80", () -> two.listen(1));
    one.close();
    two.listen(1);
    assertRefused(EADDRINUSE, "port 80", () -> sharing().bindAddr(PORT_80));
  }

  @Test
  void aPortThatIsSharedNeedsTheOptionOnBothIds() {
    RdmaCmId first = id();
    first.bindAddr(PORT_80);
    RdmaCmId second = sharing();
    assertRefused(EADDRINUSE, IN_USE, () -> second.bindAddr(PORT_80));
    first.setOption(new RdmaOption.ReuseAddress(true)); // Also of an id that is bound already.
    second.bindAddr(PORT_80);
    assertThat(second.localAddr()).isEqualTo(PORT_80);
  }

  /** An id of IPv6 stands for IPv4, too, unless its program says no. */
  @Test
  void aWildcardHasThePortOfBothFamilies() {
    id().bindAddr(address("0.0.0.0", 80));
    RdmaCmId ofOne = id();
    ofOne.setOption(new RdmaOption.AddressFamilyOnly(true));
    assertRefused(EADDRNOTAVAIL, "port 80", () -> id().bindAddr(address("::", 80)));
    ofOne.bindAddr(address("::", 80));
  }

  /** As {@code net.ipv4.ip_local_port_range} of Linux has it: 32768 to 60999. */
  @Test
  void allPortsOfTheRangeAreHandedOutAndNoOther() {
    Set<Integer> ports = new TreeSet<>();
    for (int i = 0; i < 28_232; i++) {
      RdmaCmId id = id();
      id.bindAddr(address("10.0.0.1", 0));
      ports.add(id.srcPort());
    }
    assertThat(ports).hasSize(28_232);
    assertThat(ports.iterator().next()).isEqualTo(32_768);
    assertRefused(EADDRINUSE, "in use", () -> id().bindAddr(address("10.0.0.1", 0)));
  }

  /** Three bits of a REQ: {@code min_t(u8, 7, ...)} of cma.c. */
  @ParameterizedTest
  @ValueSource(ints = {8, 15, 255})
  void moreThanSevenRetriesAreSeven(int retries) {
    hosts.listener(TCP, 1);
    hosts.active().connect(NOTHING.withRetries(retries, retries));

    RdmaCmEvent request = hosts.atB(CONNECT_REQUEST);

    assertThat(request.conn().retryCount()).isEqualTo(7);
    assertThat(request.conn().rnrRetryCount()).isEqualTo(7);
  }

  @Test
  void anIdThatListensHasNoQueuePair() {
    RdmaCmId listener = hosts.listener(TCP, 1);
    assertRefused(EINVAL, "listens", () -> listener.createQp(null, attr(QpType.RC)));
    assertRefused(EINVAL, "listens", () -> listener.initQpAttr(QpState.INIT));
    listener.disconnect();
  }

  /** {@code rdma_disconnect} of librdmacm fails the queue pair before it asks the kernel. */
  @Test
  void anIdThatIsNotConnectedFailsItsQueuePairAllTheSame() {
    RdmaCmId id = hosts.active();
    assertRefused(EINVAL, "no connection", id::disconnect);
    assertThat(id.qp().query().qpState()).isEqualTo(QpState.ERR);
  }

  /** As {@code cm_init_qp_init_attr}: the kernel knows of the REJ before the program does. */
  @Test
  void anIdThatWasRejectedGetsNoQueuePair() {
    RdmaCmId id = hosts.routed(TCP);
    id.connect(NOTHING);
    hosts.emulator.run(Duration.ofMillis(1));
    assertRefused(EINVAL, "ended", () -> id.createQp(null, attr(QpType.RC)));
    assertRefused(EINVAL, "ended", () -> id.initQpAttr(QpState.INIT));
  }

  @Test
  void callsThatDoNotFitTheState() {
    RdmaCmId id = id();
    assertRefused(EINVAL, "bound to nothing", () -> id.resolveRoute(SOON));
    assertRefused(EINVAL, "route is not resolved", () -> id.connect(NOTHING));
    assertRefused(EINVAL, "no request", () -> id.accept(NOTHING));
    assertRefused(EINVAL, "no request", id::reject);
    assertRefused(EINVAL, "no connection", id::disconnect);
    assertRefused(EINVAL, "not accepted", id::establish);
    assertRefused(EINVAL, "nothing was accepted", () -> id.notify(EventType.COMM_EST));
    assertRefused(EINVAL, "only COMM_EST", () -> id.notify(EventType.PORT_ERR));
    assertRefused(EINVAL, "has a channel", id::getRequest);
    assertRefused(EINVAL, "only USER", () -> id.writeCmEvent(ESTABLISHED, 0, null));
    assertRefused(ENOENT, "no addresses", id::queryAddrinfo);
    assertRefused(EINVAL, "no datagram service", () -> id.joinMulticast(GROUP, null));
    assertRefused(EADDRNOTAVAIL, "has not joined", () -> id.leaveMulticast(GROUP));
    InetSocketAddress nameless = InetSocketAddress.createUnresolved("no.group", 0);
    assertRefused(EADDRNOTAVAIL, "joined no.group", () -> id.leaveMulticast(nameless));
    assertThat(hosts.channelA.getCmEvent(Duration.ZERO)).isEmpty();
  }

  private void refusedWithoutDevice(RdmaCmId id) {
    String words = "not bound to a device";
    assertRefused(EINVAL, words, () -> id.createQp(null, attr(QpType.RC)));
    assertRefused(EINVAL, words, () -> id.createSrq(null, SrqAttr.of(1, 1)));
    assertRefused(EINVAL, words, () -> id.initQpAttr(QpState.INIT));
  }

  /** Only a peer or an address of its own leads to a device. */
  @Test
  void anIdThatIsBoundToAWildcardHasNoDevice() {
    RdmaCmId id = id();
    refusedWithoutDevice(id);
    id.bindAddr(address("0.0.0.0", 0));
    assertThat(id.verbs()).isNull();
    assertThat(id.portNum()).isZero();
    assertThat(id.srcPort()).isNotZero();
    refusedWithoutDevice(id);
    assertRefused(EINVAL, "route is not resolved", () -> id.connect(NOTHING));
    id.resolveAddr(null, hosts.toB(), SOON);
    assertThat(id.verbs()).isSameAs(hosts.a.getDevices().get(0));
    assertThat(id.portNum()).isEqualTo(1);
  }

  /** The type is not compared, but the attributes of INIT are those of the id. */
  @Test
  void queuesThatDoNotFitTheId() {
    RdmaCmId id = hosts.routed(TCP);
    ProtectionDomain foreign = hosts.deviceA.open().allocPd();
    assertRefused(EINVAL, "INIT", () -> id.createQp(null, attr(QpType.UD)));
    assertRefused(EINVAL, "context", () -> id.createQp(foreign, attr(QpType.RC)));
    assertRefused(EINVAL, "1073741824", () -> id.createQp(null, TOO_MANY));
    assertThat(id.qp()).isNull();
    assertThat(id.sendCq()).isNull();
    id.createQp(null, attr(QpType.UC));
    assertThat(id.qp().query().qpState()).isEqualTo(QpState.INIT);
    assertRefused(EINVAL, "queue pair", () -> id.createQp(null, attr(QpType.RC)));
    id.createSrq(null, SrqAttr.of(4, 1));
    assertRefused(EINVAL, "receive queue", () -> id.createSrq(null, SrqAttr.of(4, 1)));
  }

  @Test
  void attributesOfAConnectionThatIsNotThereYet() {
    RdmaCmId id = hosts.routed(TCP);
    assertThat(id.initQpAttr(QpState.INIT).qpState()).isEqualTo(QpState.INIT);
    assertRefused(EINVAL, "the peer has not said", () -> id.initQpAttr(QpState.RTR));
    assertRefused(EINVAL, "the peer has not said", () -> id.initQpAttr(QpState.RTS));
    assertRefused(EINVAL, "SQD", () -> id.initQpAttr(QpState.SQD));
  }

  @Test
  void groupsThatCannotBeJoinedOrLeft() {
    RdmaCmId unbound = hosts.channelA.createId(UDP);
    assertRefused(EINVAL, "not bound", () -> unbound.joinMulticast(GROUP, null));
    unbound.bindAddr(address("0.0.0.0", 0));
    assertRefused(EINVAL, "not bound to a device", () -> unbound.joinMulticast(GROUP, null));
    RdmaCmId id = hosts.channelA.createId(UDP);
    id.bindAddr(address("10.0.0.1", 0));
    RdmaHosts.withQp(id);
    assertRefused(EINVAL, "10.0.0.2", () -> id.joinMulticast(address("10.0.0.2", 0), null));
    assertRefused(EINVAL, "another family", () -> id.joinMulticast(address("ff05::1", 0), null));
    RdmaCmId routed = hosts.routed(UDP);
    String late = "too late: its route is resolved";
    assertRefused(EINVAL, late, () -> routed.joinMulticast(GROUP, null));
    id.joinMulticast(GROUP, null);
    RdmaCmEvent joined = hosts.channelA.getCmEvent();
    assertThat(joined.event()).isEqualTo(MULTICAST_JOIN);
    assertRefused(EBUSY, "not acknowledged", () -> id.leaveMulticast(GROUP));
    joined.ack();
    id.leaveMulticast(GROUP);
    assertRefused(EADDRNOTAVAIL, "has not joined", () -> id.leaveMulticast(GROUP));
  }

  /** {@code rdma_create_ep} destroys what it has made before it fails. */
  @Test
  void endpointsThatFailLeaveNothing() {
    RdmaAddrinfo absent = hosts.a.getaddrinfo("10.0.0.9", "7471", null).get(0);
    assertRefused(ETIMEDOUT, "10.0.0.9", () -> hosts.a.createEp(absent, null, null));
    RdmaAddrinfo there = hosts.a.getaddrinfo("10.0.0.2", "7471", null).get(0);
    assertRefused(EINVAL, "1073741824", () -> hosts.a.createEp(there, null, TOO_MANY));
    hosts.listener(TCP, 1);
    assertRefused(EADDRINUSE, "7471", () -> hosts.listener(QpType.RC));
    assertThat(hosts.census()).isEqualTo("0 ids, 0 ends | 1 ids, 0 ends");
  }

  @Test
  void tooManyReads() {
    hosts.listener(TCP, 1);
    RdmaCmId id = hosts.active();
    assertRefused(EINVAL, "254 READs", () -> id.connect(RdmaConnParam.of(254, 0)));
    id.connect(NOTHING);
    RdmaCmId passive = hosts.request();
    assertRefused(EINVAL, "254 READs", () -> passive.accept(RdmaConnParam.of(254, 0)));
    passive.accept();
  }

  /** No byte is 0, as the field is filled with that. */
  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (1 + i % 255);
    }
    return bytes;
  }

  /** Refuses one byte too many, and takes as many as there may be. */
  private static void longest(int most, Consumer<byte[]> call) {
    String words = (most + 1) + " bytes of private data are more than " + most;
    assertRefused(EINVAL, words, () -> call.accept(filled(most + 1)));
    call.accept(filled(most));
  }

  private static void assertWhole(int length, ByteBuffer privateData) {
    assertThat(RdmaHosts.bytes(privateData)).isEqualTo(filled(length));
  }

  /** InfiniBand Architecture volume 1, 12.6; the header of IP addresses takes 36 bytes of a REQ. */
  @Test
  void privateDataOfConnectionsArrivesWholeOrIsRefused() {
    hosts.listener(TCP, 1);
    RdmaCmId active = hosts.active();
    longest(56, bytes -> active.connect(NOTHING.withPrivateData(bytes)));
    RdmaCmEvent request = hosts.atB(CONNECT_REQUEST);
    assertWhole(56, request.conn().privateData());

    longest(148, request.id()::reject);

    assertWhole(148, hosts.atA(REJECTED, 28).conn().privateData());
    RdmaCmId again = hosts.active();
    again.connect(NOTHING);
    hosts.request().accept(NOTHING.withPrivateData(filled(196)));
    assertWhole(196, hosts.atA(ESTABLISHED).conn().privateData());
  }

  private RdmaCmId askedForDatagrams() {
    RdmaCmId active = RdmaHosts.withQp(hosts.routed(UDP));
    longest(180, bytes -> active.connect(NOTHING.withPrivateData(bytes)));
    RdmaCmEvent request = hosts.atB(CONNECT_REQUEST);
    assertWhole(180, request.ud().privateData());
    return RdmaHosts.withQp(request.id());
  }

  @Test
  void privateDataOfDatagramServicesArrivesWholeOrIsRefused() {
    hosts.listener(UDP, 1);

    askedForDatagrams().accept(NOTHING.withPrivateData(filled(136)));
    assertWhole(136, hosts.atA(ESTABLISHED).ud().privateData());

    longest(136, askedForDatagrams()::reject);
    assertWhole(136, hosts.atA(UNREACHABLE, 2).ud().privateData());
  }

  /** The reject label of {@code rdma_accept}: as a kernel was recorded. */
  @ParameterizedTest
  @CsvSource({"TCP, 196, REJECTED, 28", "UDP, 136, UNREACHABLE, 2"})
  void anAcceptWithTooMuchPrivateDataRejects(
      RdmaPortSpace space, int most, RdmaCmEventType type, int status) {
    hosts.listener(space, 1);
    RdmaCmId active = RdmaHosts.withQp(hosts.routed(space));
    active.connect(NOTHING);
    RdmaCmId passive = hosts.request();

    String words = (most + 1) + " bytes of private data are more than " + most;
    assertRefused(EINVAL, words, () -> passive.accept(NOTHING.withPrivateData(filled(most + 1))));

    hosts.atA(type, status);
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.ERR);
    assertRefused(EINVAL, "no request", passive::accept);
    if (space == TCP) {
      assertThat(active.qp().query().qpState()).isEqualTo(QpState.ERR);
    }
  }

  @Test
  void optionsOutOfRangeOrTooLate() {
    RdmaCmId id = id();
    assertRefused(EINVAL, "TOS 256 is not 0 to 255", () -> id.setOption(new RdmaOption.Tos(256)));
    assertRefused(EINVAL, "ACK_TIMEOUT 256", () -> id.setOption(new RdmaOption.AckTimeout(256)));
    RdmaCmId datagrams = hosts.routed(UDP);
    String none = "queue pairs of type UD have no ACK timeout of their own";
    assertRefused(EINVAL, none, () -> datagrams.setOption(new RdmaOption.AckTimeout(14)));
    RdmaCmId routed = hosts.routed(TCP);
    RdmaCmId listener = hosts.listener(TCP, 1);
    assertRefused(
        EINVAL, "too late", () -> routed.setOption(new RdmaOption.AddressFamilyOnly(true)));
    assertRefused(EINVAL, "too late", () -> routed.setOption(new RdmaOption.ReuseAddress(false)));
    assertRefused(EINVAL, "too late", () -> listener.setOption(new RdmaOption.ReuseAddress(true)));
  }

  /** The option is a byte for Linux, and the queue pair has five bits. */
  @Test
  void anAckTimeoutThatNoQueuePairHasIsRefusedWhenItBecomesReady() {
    hosts.listener(TCP, 1);
    RdmaCmId active = hosts.active();
    active.setOption(new RdmaOption.AckTimeout(32));
    active.connect(NOTHING);
    hosts.request().accept();

    assertThat(hosts.atA(CONNECT_ERROR).explain()).contains("TIMEOUT 32 is not 0 to 31");
  }

  @Test
  void anIdWithEventsThatAreNotAcknowledgedStays() {
    RdmaCmId id = id();
    id.writeCmEvent(USER, 5, "arg");
    RdmaCmEvent event = hosts.channelA.getCmEvent();
    assertThat(event.status()).isEqualTo(5);
    assertThat(event.arg()).isEqualTo("arg");
    assertRefused(EBUSY, "1 event(s) of it are not acknowledged", id::close);
    event.ack();
    assertRefused(EINVAL, "acknowledged before", event::ack);
    id.close();
    id.close();
    assertRefused(EINVAL, "destroyed", () -> id.listen(1));
  }
}
