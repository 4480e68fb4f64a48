// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.SOON;
import static io.queuepair.nativeprovider.SystemHost.attr;
import static io.queuepair.nativeprovider.SystemHost.bytes;
import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static io.queuepair.nativeprovider.SystemHost.expect;
import static io.queuepair.nativeprovider.SystemHost.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connections and datagrams by librdmacm, on a device of the system; skipped without. */
class NativeRdmaCmTest {
  /**
   * What is left for programs of the private data of a REQ (92 bytes, 36 of them the IP header).
   */
  private static final int REQ_BYTES = 56;

  private static final int REP_BYTES = 196;
  private static final int REJ_BYTES = 148;
  private static final int SIDR_REQ_BYTES = 180;
  private static final int SIDR_REP_BYTES = 136;
  private static final int GRH_BYTES = 40;

  /** Reasons of REJ: the specification, table 116. */
  private static final int INVALID_SERVICE_ID = 8;

  private static final int CONSUMER_REJECT = 28;

  @RegisterExtension private final SystemHost host = new SystemHost();

  private static byte[] padded(String text, int length) {
    return Arrays.copyOf(ascii(text), length);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void privateDataGoesBothWays() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    listener.setContext("server");
    RdmaCmId one = host.ready(RdmaPortSpace.TCP, listener.srcPort());
    one.connect(RdmaConnParam.of(2, 3).withPrivateData(ascii("question")).withRetries(5, 6));
    RdmaCmEvent request = take(host.passive, RdmaCmEventType.CONNECT_REQUEST);
    assertThat(request.listenId()).isSameAs(listener);
    assertThat(bytes(request.conn().privateData())).isEqualTo(padded("question", REQ_BYTES));
    // Reads that the one starts, the other answers.
    assertThat(request.conn().responderResources()).isEqualTo(3);
    assertThat(request.conn().initiatorDepth()).isEqualTo(2);
    assertThat(request.conn().retryCount()).isEqualTo(5);
    assertThat(request.conn().rnrRetryCount()).isEqualTo(6);
    assertThat(request.conn().qpNum()).isEqualTo(one.qp().qpNum());
    RdmaCmId other = host.closedLater(request.id());
    assertThat(other.channel()).isSameAs(host.passive);
    assertThat(other.context()).isEqualTo("server");
    other.createQp(null, attr(QpType.RC));
    other.accept(RdmaConnParam.of(1, 1).withPrivateData(ascii("answer")));
    RdmaCmEvent established = take(host.active, RdmaCmEventType.ESTABLISHED);
    assertThat(bytes(established.conn().privateData())).isEqualTo(padded("answer", REP_BYTES));
    expect(host.passive, RdmaCmEventType.ESTABLISHED, other);
    assertThat(one.qp().query().qpState()).isEqualTo(QpState.RTS);
    assertThat(other.qp().query().destQpNum()).isEqualTo(one.qp().qpNum());
    assertThat(one.peerAddr()).isEqualTo(other.localAddr());
    assertThat(one.srcPort()).isEqualTo(other.dstPort());
  }

  @Test
  void messagesGoBothWaysUntilOneDisconnects() {
    RdmaCmId[] ends = host.connected();
    MemoryRegion into = host.room(ends[1]);
    ends[1].postRecv(7, into.sge());
    MemoryRegion from = host.message(ends[0], "hello");
    ends[0].postSend(8, from.sge());
    assertThat(ends[0].getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(ends[1].getRecvComp().byteLen()).isEqualTo(5);
    assertThat(bytes(into.buffer().slice(0, 5))).isEqualTo(ascii("hello"));
    ends[1].postRecv(9, into.sge());

    ends[0].disconnect();

    expect(host.passive, RdmaCmEventType.DISCONNECTED, ends[1]);
    ends[1].disconnect();
    assertThat(ends[1].getRecvComp().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    expect(host.active, RdmaCmEventType.DISCONNECTED, ends[0]);
    for (RdmaCmId end : ends) {
      assertThat(end.qp().query().qpState()).isEqualTo(QpState.ERR);
      end.close();
      assertThat(errnoOf(end::disconnect)).isEqualTo(Errno.EINVAL);
      end.close();
    }
  }

  @Test
  void aRejectionHasAReasonAndPrivateData() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    RdmaCmId one = host.ready(RdmaPortSpace.TCP, listener.srcPort());
    one.connect(RdmaConnParam.of(1, 1));
    RdmaCmId other = host.request();
    other.reject(ascii("full"));
    RdmaCmEvent rejected = take(host.active, RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(CONSUMER_REJECT);
    assertThat(bytes(rejected.conn().privateData())).isEqualTo(padded("full", REJ_BYTES));
  }

  @Test
  void aPortWithoutListenerIsRejected() {
    RdmaCmId one = host.ready(RdmaPortSpace.TCP, 1);
    one.connect(RdmaConnParam.of(1, 1));
    RdmaCmEvent rejected = take(host.active, RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(INVALID_SERVICE_ID);
  }

  @Test
  void datagramsGoWhereThePeerSaid() {
    RdmaCmId listener = host.listener(RdmaPortSpace.UDP);
    RdmaCmId one = host.ready(RdmaPortSpace.UDP, listener.srcPort());
    one.connect(RdmaConnParam.of(0, 0).withPrivateData(ascii("who?")));
    RdmaCmEvent request = take(host.passive, RdmaCmEventType.CONNECT_REQUEST);
    assertThat(bytes(request.ud().privateData())).isEqualTo(padded("who?", SIDR_REQ_BYTES));
    assertThat(request.ud().ahAttr()).isNull();
    assertThat(request.conn()).isNull();
    RdmaCmId other = host.closedLater(request.id());
    other.createQp(null, attr(QpType.UD));
    MemoryRegion into = host.room(other);
    other.postRecv(1, into.sge());
    other.accept(RdmaConnParam.of(0, 0).withPrivateData(ascii("me")));
    RdmaUdParam peer = take(host.active, RdmaCmEventType.ESTABLISHED).ud();
    assertThat(bytes(peer.privateData())).isEqualTo(padded("me", SIDR_REP_BYTES));
    assertThat(peer.qpNum()).isEqualTo(other.qp().qpNum());
    assertThat(peer.qkey()).isEqualTo(RdmaUdParam.UDP_QKEY);
    MemoryRegion from = host.message(one, "datagram");
    one.postUdSend(2, from.sge(), one.pd().createAh(peer.ahAttr()), peer.qpNum());
    assertThat(one.getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(other.getRecvComp().byteLen()).isEqualTo(GRH_BYTES + 8);
    assertThat(bytes(into.buffer().slice(GRH_BYTES, 8))).isEqualTo(ascii("datagram"));
  }

  @Test
  void anUnknownDatagramServiceIsUnreachable() {
    RdmaCmId one = host.ready(RdmaPortSpace.UDP, 1);
    one.connect(RdmaConnParam.of(0, 0));
    RdmaCmEvent event = take(host.active, RdmaCmEventType.UNREACHABLE);
    assertThat(event.status()).isEqualTo(1); // SIDR_REP: service ID not supported.
  }

  @Test
  void severalConnectionsOfOneListenerAreApart() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    List<RdmaCmId> ids = new ArrayList<>();
    List<RdmaCmEvent> requests = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      RdmaCmId one = host.ready(RdmaPortSpace.TCP, listener.srcPort());
      one.connect(RdmaConnParam.of(1, 1).withPrivateData(new byte[] {(byte) i}));
      ids.add(one);
      requests.add(take(host.passive, RdmaCmEventType.CONNECT_REQUEST));
    }
    for (RdmaCmEvent request : requests) {
      RdmaCmId other = host.closedLater(request.id());
      other.createQp(null, attr(QpType.RC));
      other.accept();
      RdmaCmId one = ids.get(request.conn().privateData().get());
      expect(host.active, RdmaCmEventType.ESTABLISHED, one);
      expect(host.passive, RdmaCmEventType.ESTABLISHED, other);
      assertThat(other.qp().query().destQpNum()).isEqualTo(one.qp().qpNum());
      assertThat(other.dstPort()).isEqualTo(one.srcPort());
    }
  }

  @Test
  void aSharedReceiveQueueOfTheIdTakesItsReceives() {
    RdmaCmId[] ends = host.connected();
    ends[1].destroyQp();
    ends[1].createSrq(null, new SrqAttr(4, 1, 0));
    ends[1].createQp(null, attr(QpType.RC));
    assertThat(ends[1].qp().initAttr().srq()).isSameAs(ends[1].srq());
    assertThat(errnoOf(() -> ends[1].createSrq(null, new SrqAttr(4, 1, 0))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  void whatIsRefusedHasAnErrno() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    RdmaCmId id = host.active.createId(RdmaPortSpace.TCP);
    InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", 0);
    assertThat(errnoOf(() -> id.bindAddr(elsewhere))).isEqualTo(Errno.EADDRNOTAVAIL);
    assertThat(errnoOf(() -> id.bindAddr(host.at(listener.srcPort())))).isEqualTo(Errno.EADDRINUSE);
    assertThat(errnoOf(() -> id.resolveRoute(SOON))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> id.connect(RdmaConnParam.of(1, 1)))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(id::connect)).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> id.createQp(null, attr(QpType.RC)))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> id.createQp(null, attr(QpType.UD)))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> id.reject(new byte[256]))).isEqualTo(Errno.EINVAL);
    id.bindAddr(host.at(0));
    assertThat(errnoOf(() -> id.bindAddr(host.at(0)))).isEqualTo(Errno.EINVAL);
    assertThatThrownBy(() -> id.bindAddr(host.at(0)))
        .hasMessageContaining("refused by librdmacm or the kernel, errno 22");
    assertThat(errnoOf(() -> id.getRequest())).isEqualTo(Errno.EINVAL);
    id.close();
  }

  @Test
  void theObjectsOfTheConnectionManagerCannotBeClosed() {
    RdmaCmId[] ends = host.connected();
    assertThat(host.cm.getDevices()).contains(ends[0].verbs());
    assertThat(ends[0].verbs()).isSameAs(ends[1].verbs());
    assertThat(ends[0].pd()).isSameAs(ends[1].pd());
    assertThatThrownBy(() -> ends[0].verbs().close()).isInstanceOf(VerbsException.class);
    assertThatThrownBy(() -> ends[0].pd().close()).isInstanceOf(VerbsException.class);
  }
}
