// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.attr;
import static io.queuepair.nativeprovider.SystemHost.bytes;
import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static io.queuepair.nativeprovider.SystemHost.expect;
import static io.queuepair.nativeprovider.SystemHost.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WcStatus;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** XRC, ECE and connections without RTU by librdmacm; skipped without a device. */
@Timeout(60)
class NativeConnectionTypesTest {
  private static final Ece ONE = new Ece(0x15b3, 7);
  private static final Ece OTHER = new Ece(0x15b3, 3);

  @RegisterExtension private final SystemHost host = new SystemHost();

  private RdmaCmId endpoint(QpType type, int port, RdmaAddrinfoFlag... flags) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, flags).withQpType(type);
    String service = Integer.toString(port);
    RdmaAddrinfo found = host.cm.getaddrinfo(host.address.getHostAddress(), service, hints).get(0);
    assertThat(found.qpType()).isEqualTo(type);
    RdmaCmId id = host.closedLater(host.cm.createEp(found, null, null));
    assertThat(id.qpType()).isEqualTo(type);
    return id;
  }

  @Test
  void anXrcInitiatorReachesTheSharedReceiveQueueOfItsTarget() {
    RdmaCmId listener = endpoint(QpType.XRC_RECV, 0, RdmaAddrinfoFlag.PASSIVE);
    listener.migrate(host.passive);
    listener.listen(1);
    RdmaCmId one = endpoint(QpType.XRC_SEND, listener.srcPort());
    one.migrate(host.active);
    boolean hasXrc = one.verbs().queryDevice().deviceCapFlags().contains(DeviceCapFlag.XRC);
    Assumptions.assumeTrue(hasXrc, "the device has no XRC");
    one.createQp(null, attr(QpType.XRC_SEND));
    one.connect(RdmaConnParam.of(0, 0));
    RdmaCmId other = host.request();
    other.createSrq(null, new SrqAttr(4, 1, 0));
    other.createQp(null, attr(QpType.XRC_RECV));
    other.accept();
    expect(host.active, RdmaCmEventType.ESTABLISHED, one);
    expect(host.passive, RdmaCmEventType.ESTABLISHED, other);
    MemoryRegion into = host.room(other);
    other.srq().postRecv(RecvWr.of(1, into.sge()));
    MemoryRegion from = host.message(one, "shared");

    one.qp().postSend(SendWr.send(2, from.sge()).toSrq(other.srq().srqNum()));

    assertThat(one.getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(other.getRecvComp().byteLen()).isEqualTo(6);
    assertThat(bytes(into.buffer().slice(0, 6)))
        .isEqualTo("shared".getBytes(StandardCharsets.US_ASCII));
  }

  /** A queue pair in INIT that is none of the id's. */
  private QueuePair ownQueuePair(RdmaCmId id) {
    CompletionChannel none = null;
    CompletionQueue cq = host.closedLater(id.verbs().createCq(8, none, 0));
    QpInitAttr own = new QpInitAttr(QpType.RC, cq, cq, null, attr(QpType.RC).cap(), true);
    QueuePair qp = host.closedLater(id.pd().createQp(own));
    qp.modify(id.initQpAttr(QpState.INIT));
    return qp;
  }

  @Test
  void aProgramCanMakeTheQueuePairReadyItself() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    RdmaCmId one = host.routed(RdmaPortSpace.TCP, listener.srcPort());
    QueuePair qp = ownQueuePair(one);
    one.connect(RdmaConnParam.of(1, 1).withQp(qp.qpNum(), false));
    RdmaCmId other = host.request();
    assertThat(errnoOf(() -> other.notify(EventType.COMM_EST))).isEqualTo(Errno.EINVAL);
    other.createQp(null, attr(QpType.RC));
    other.accept();
    expect(host.active, RdmaCmEventType.CONNECT_RESPONSE, one);
    assertThat(errnoOf(() -> other.notify(EventType.PORT_ERR))).isEqualTo(Errno.EINVAL);
    qp.modify(one.initQpAttr(QpState.RTR));
    qp.modify(one.initQpAttr(QpState.RTS));

    one.establish();

    expect(host.passive, RdmaCmEventType.ESTABLISHED, other);
    assertThat(qp.query().destQpNum()).isEqualTo(other.qp().qpNum());
    assertThat(qp.query().qpState()).isEqualTo(QpState.RTS);
  }

  @Test
  void optionsOfEnhancedConnectionEstablishmentGoBothWays() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    RdmaCmId one = host.routed(RdmaPortSpace.TCP, listener.srcPort());
    QueuePair qp = ownQueuePair(one);
    one.setLocalEce(ONE);
    one.connect(RdmaConnParam.of(1, 1).withQp(qp.qpNum(), false));
    RdmaCmId other = host.request();
    assertThat(other.getRemoteEce()).isEqualTo(ONE);
    QueuePair peers = ownQueuePair(other);
    other.setLocalEce(OTHER);
    peers.modify(other.initQpAttr(QpState.RTR));

    other.accept(RdmaConnParam.of(1, 1).withQp(peers.qpNum(), false));

    expect(host.active, RdmaCmEventType.CONNECT_RESPONSE, one);
    assertThat(one.getRemoteEce()).isEqualTo(OTHER);
  }

  @Test
  void optionsAreOfQueuePairsOfTheProgramOnly() {
    RdmaCmId id = host.ready(RdmaPortSpace.TCP, 1);

    assertThat(errnoOf(() -> id.setLocalEce(ONE))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(id::getRemoteEce)).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aRejectionCanSayThatItIsForTheOptions() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    RdmaCmId one = host.ready(RdmaPortSpace.TCP, listener.srcPort());
    one.connect(RdmaConnParam.of(1, 1));
    RdmaCmId other = host.request();

    other.rejectEce(new byte[] {7});

    // 35, "vendor option is not supported": the reasons of enum ib_cm_rej_reason in Linux.
    assertThat(take(host.active, RdmaCmEventType.REJECTED).status()).isEqualTo(35);
  }

  /** The program of the one answers the REP only with {@code establish}, which never comes here. */
  @Test
  void aProgramSaysThatDataCameBeforeTheRtu() {
    RdmaCmId listener = host.listener(RdmaPortSpace.TCP);
    RdmaCmId one = host.routed(RdmaPortSpace.TCP, listener.srcPort());
    QueuePair qp = ownQueuePair(one);
    one.connect(RdmaConnParam.of(1, 1).withQp(qp.qpNum(), false));
    RdmaCmId other = host.request();
    other.createQp(null, attr(QpType.RC));
    other.accept();
    expect(host.active, RdmaCmEventType.CONNECT_RESPONSE, one);

    other.notify(EventType.COMM_EST);

    expect(host.passive, RdmaCmEventType.ESTABLISHED, other);
    assertThat(errnoOf(() -> other.notify(EventType.COMM_EST))).isEqualTo(Errno.EISCONN);
  }
}
