// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.SOON;
import static io.queuepair.nativeprovider.SystemHost.attr;
import static io.queuepair.nativeprovider.SystemHost.bytes;
import static io.queuepair.nativeprovider.SystemHost.direct;
import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static io.queuepair.nativeprovider.SystemHost.expect;
import static io.queuepair.nativeprovider.SystemHost.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoException;
import io.queuepair.rdmacm.RdmaAddrinfoException.Reason;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Waiting, synchronous mode, options and groups by librdmacm; skipped without a device. */
@Timeout(60)
class NativeEventChannelTest {
  private static final int GRH_BYTES = 40;
  private static final int ANY_GROUP_MEMBER = 0xff_ffff;

  @RegisterExtension private final SystemHost host = new SystemHost();

  private RdmaAddrinfo found(int port, RdmaAddrinfoFlag... flags) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, flags);
    String service = Integer.toString(port);
    return host.cm.getaddrinfo(host.address.getHostAddress(), service, hints).get(0);
  }

  @Test
  void aWaitEndsWithItsTime() {
    assertThat(host.active.getCmEvent(Duration.ZERO)).isEmpty();
    long start = System.nanoTime();
    assertThat(host.active.getCmEvent(Duration.ofMillis(120))).isEmpty();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(120_000_000);
  }

  @Test
  void anInterruptEndsAWait() {
    Thread.currentThread().interrupt();
    assertThat(errnoOf(host.active::getCmEvent)).isEqualTo(Errno.EINTR);
  }

  @Test
  void closingAChannelWakesWhoWaitsAtIt() {
    RdmaEventChannel channel = host.cm.createEventChannel();
    CompletableFuture<RdmaCmEvent> waiting = CompletableFuture.supplyAsync(channel::getCmEvent);
    assertThat(channel.getCmEvent(Duration.ofMillis(100))).isEmpty();
    channel.close();
    assertThatThrownBy(() -> waiting.orTimeout(10, TimeUnit.SECONDS).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(VerbsException.class)
        .hasMessageContaining("EINVAL");
    assertThat(errnoOf(() -> channel.createId(RdmaPortSpace.TCP))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void anIdOutlivesItsChannel() {
    RdmaEventChannel channel = host.cm.createEventChannel();
    RdmaCmId id = channel.createId(RdmaPortSpace.TCP);
    channel.close();
    id.bindAddr(host.at(0));
    assertThat(id.srcPort()).isPositive();
  }

  @Test
  void anEventThatIsNotAcknowledgedKeepsItsId() {
    RdmaCmId id = host.id(RdmaPortSpace.TCP);
    id.resolveAddr(null, host.at(1), SOON);
    RdmaCmEvent event = host.active.getCmEvent();
    assertThat(errnoOf(id::close)).isEqualTo(Errno.EBUSY);
    event.ack();
    assertThat(errnoOf(event::ack)).isEqualTo(Errno.EINVAL);
    event.close();
  }

  @Test
  void anIdMovesWithItsEvents() {
    RdmaCmId id = host.id(RdmaPortSpace.TCP);
    id.resolveAddr(null, host.at(1), SOON);
    id.migrate(host.passive);
    assertThat(id.channel()).isSameAs(host.passive);
    expect(host.passive, RdmaCmEventType.ADDR_RESOLVED, id);
    id.migrate(null);
    assertThat(id.channel()).isNull();
    assertThat(errnoOf(() -> id.migrate(null))).isEqualTo(Errno.EINVAL);
    id.resolveRoute(SOON);
    assertThat(id.event().event()).isEqualTo(RdmaCmEventType.ROUTE_RESOLVED);
    id.migrate(host.active);
    assertThat(id.event()).isNull();
  }

  @Test
  void endpointsConnectInSynchronousMode() {
    RdmaCmId listener = host.cm.createEp(found(0, RdmaAddrinfoFlag.PASSIVE), null, attr(QpType.RC));
    assertThat(listener.channel()).isNull();
    listener.listen(4);
    CompletableFuture<String> serving = CompletableFuture.supplyAsync(() -> serve(listener));
    RdmaCmId id = host.cm.createEp(found(listener.srcPort()), null, attr(QpType.RC));
    MemoryRegion question = id.regMsgs(direct("question"));
    id.connect();
    assertThat(id.event().event()).isEqualTo(RdmaCmEventType.ESTABLISHED);
    id.postSend(1, question.sge());
    assertThat(id.getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(serving.join()).isEqualTo("question");
    id.disconnect();
    assertThat(id.event().event()).isEqualTo(RdmaCmEventType.DISCONNECTED);
    id.close();
    question.close();
    RdmaAddrinfo unused = found(1);
    RdmaCmId refused = host.cm.createEp(unused, null, attr(QpType.RC));
    assertThat(errnoOf(refused::connect)).isEqualTo(Errno.ECONNREFUSED);
    refused.close();
    listener.close();
  }

  private static String serve(RdmaCmId listener) {
    try (RdmaCmId id = listener.getRequest()) {
      assertThat(id.channel()).isNull();
      MemoryRegion into = id.regMsgs(ByteBuffer.allocateDirect(64));
      id.postRecv(1, into.sge());
      id.accept();
      int length = id.getRecvComp().byteLen();
      return StandardCharsets.US_ASCII.decode(into.buffer().slice(0, length)).toString();
    }
  }

  @Test
  void anEndpointWithoutAddressIsRefused() {
    RdmaAddrinfo passive = RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.PASSIVE);
    assertThat(errnoOf(() -> host.cm.createEp(passive, null, null))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void addressesAreFoundByNumber() {
    RdmaAddrinfo active = found(7471);
    assertThat(active.dstAddr()).isEqualTo(host.at(7471));
    assertThat(active.qpType()).isEqualTo(QpType.RC);
    assertThat(active.portSpace()).isEqualTo(RdmaPortSpace.TCP);
    RdmaAddrinfo passive = found(7471, RdmaAddrinfoFlag.PASSIVE);
    assertThat(passive.srcAddr()).isEqualTo(host.at(7471));
    assertThat(passive.dstAddr()).isNull();
    assertThat(passive.isPassive()).isTrue();
    RdmaAddrinfo numeric = RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.NUMERICHOST);
    assertThatThrownBy(() -> host.cm.getaddrinfo("name", "1", numeric))
        .isInstanceOfSatisfying(
            RdmaAddrinfoException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NONAME));
    assertThatThrownBy(() -> host.cm.getaddrinfo("127.0.0.1", "no-such-service", null))
        .isInstanceOfSatisfying(
            RdmaAddrinfoException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SERVICE));
    RdmaAddrinfo ofThisHost = host.cm.getaddrinfo(null, "1", null).get(0);
    assertThat(ofThisHost.dstAddr().getAddress().isLoopbackAddress()).isTrue();
    assertThat(ofThisHost.dstAddr().getPort()).isEqualTo(1);
    assertThat(errnoOf(() -> host.cm.getaddrinfo("a", "1", withAdministrator())))
        .isEqualTo(Errno.EOPNOTSUPP);
  }

  private static RdmaAddrinfo withAdministrator() {
    return RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.SA);
  }

  /** Functions of librdmacm 1.4, which older systems do not have. */
  @Test
  void functionsThatTheLibraryDoesNotHaveAreRefused() {
    Assumptions.assumeFalse(Librdmacm.RESOLVE_ADDRINFO.exists());
    RdmaCmId id = host.id(RdmaPortSpace.TCP);
    assertThat(errnoOf(() -> id.resolveAddrinfo("a", "1", null))).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(errnoOf(id::queryAddrinfo)).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(errnoOf(() -> id.writeCmEvent(RdmaCmEventType.USER, 0, "x")))
        .isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void optionsAreSet() {
    RdmaCmId id = host.id(RdmaPortSpace.TCP);
    id.setOption(new RdmaOption.Tos(0x48));
    id.setOption(new RdmaOption.ReuseAddress(true));
    id.setOption(new RdmaOption.AddressFamilyOnly(true));
    id.setOption(new RdmaOption.AckTimeout(17));
    assertThat(errnoOf(() -> id.setOption(new RdmaOption.Tos(256)))).isEqualTo(Errno.EINVAL);
    id.resolveAddr(null, host.at(1), SOON);
    expect(host.active, RdmaCmEventType.ADDR_RESOLVED, id);
    assertThat(id.route()).isEmpty();
    id.resolveRoute(SOON);
    expect(host.active, RdmaCmEventType.ROUTE_RESOLVED, id);
    RdmaPath path = id.route().orElseThrow();
    assertThat(path.trafficClass()).isEqualTo(0x48);
    assertThat(path.dgid().toAddress()).isEqualTo(host.address);
  }

  @Test
  void aPathStandsForAResolvedRoute() {
    RdmaCmId first = host.routed(RdmaPortSpace.TCP, 1);
    RdmaPath path = first.route().orElseThrow();
    first.close();
    RdmaCmId id = host.id(RdmaPortSpace.TCP);
    id.resolveAddr(null, host.at(1), SOON);
    expect(host.active, RdmaCmEventType.ADDR_RESOLVED, id);
    try {
      id.setOption(new RdmaOption.IbPath(path));
    } catch (VerbsException refused) {
      // The emulated device takes none.
      assertThat(refused.errno()).isEqualTo(Errno.ENOSYS);
      id.close();
      return;
    }
    expect(host.active, RdmaCmEventType.ROUTE_RESOLVED, id);
    assertThat(id.route().orElseThrow().dgid()).isEqualTo(path.dgid());
  }

  /** The loopback interface has all of 127.0.0.0/8. */
  private void assumeMulticast() throws IOException {
    InetAddress address =
        host.address.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : host.address;
    NetworkInterface network = NetworkInterface.getByInetAddress(address);
    boolean isAble = network != null && network.supportsMulticast();
    Assumptions.assumeTrue(isAble, "the interface of the device has no multicast");
  }

  @Test
  void aGroupIsJoinedAndLeft() throws IOException {
    assumeMulticast();
    InetSocketAddress group = new InetSocketAddress("239.1.2.3", 0);
    RdmaCmId routed = host.routed(RdmaPortSpace.UDP, 7471);
    assertThat(errnoOf(() -> routed.joinMulticast(group, null))).isEqualTo(Errno.EINVAL);
    routed.close();
    RdmaCmId id = host.id(RdmaPortSpace.UDP);
    id.bindAddr(host.at(0));
    id.createQp(null, attr(QpType.UD));
    Object context = new Object();
    id.joinMulticast(group, context);
    RdmaCmEvent joined = take(host.active, RdmaCmEventType.MULTICAST_JOIN);
    assertThat(joined.arg()).isSameAs(context);
    RdmaUdParam ud = joined.ud();
    assertThat(ud.qpNum()).isEqualTo(ANY_GROUP_MEMBER);
    assertThat(ud.qkey()).isEqualTo(RdmaUdParam.UDP_QKEY);
    MemoryRegion into = host.room(id);
    id.postRecv(1, into.sge());
    MemoryRegion from = host.message(id, "all");
    AddressHandle ah = host.closedLater(id.pd().createAh(ud.ahAttr()));
    id.postUdSend(2, from.sge(), ah, ud.qpNum());
    assertThat(id.getRecvComp().byteLen()).isEqualTo(GRH_BYTES + 3);
    assertThat(bytes(into.buffer().slice(GRH_BYTES, 3)))
        .isEqualTo("all".getBytes(StandardCharsets.US_ASCII));
    id.leaveMulticast(group);
    assertThat(errnoOf(() -> id.leaveMulticast(group))).isEqualTo(Errno.EADDRNOTAVAIL);
    id.joinMulticast(group, null);
    assertThat(take(host.active, RdmaCmEventType.MULTICAST_JOIN).arg()).isNull();
  }

  @Test
  void requestsThatWereNotTakenAreRejectedWithTheListener() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    RdmaCmId id = host.ready(RdmaPortSpace.TCP, listener.srcPort());
    id.connect(RdmaConnParam.of(1, 1));
    listener.close();
    assertThat(take(host.active, RdmaCmEventType.REJECTED).id()).isSameAs(id);
  }
}
