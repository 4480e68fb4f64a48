// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DiSNI's connection manager on {@code io.queuepair.rdmacm}, as libdisni does it on librdmacm: ids
 * of port space TCP, four scatter/gather entries, as many READs as the device can, events
 * acknowledged as they are taken. Thread-safe.
 */
final class DisniRdmaCm extends RdmaCm {
  private static final Logger LOG = LoggerFactory.getLogger(DisniRdmaCm.class);
  private static final int MAX_SGE = 4;
  private static final int FOR_EVER = -1;

  /** After these a DiSNI endpoint waits for ever, so that the log has the reason. */
  private static final Set<RdmaCmEventType> FAILURES =
      Set.of(
          RdmaCmEventType.ADDR_ERROR,
          RdmaCmEventType.ROUTE_ERROR,
          RdmaCmEventType.CONNECT_ERROR,
          RdmaCmEventType.UNREACHABLE,
          RdmaCmEventType.REJECTED,
          RdmaCmEventType.DEVICE_REMOVAL);

  private final io.queuepair.rdmacm.RdmaCm cm;
  private final DisniContexts contexts;
  private final int retries;

  /**
   * Wraps a connection manager.
   *
   * @param retries {@code retry_count} of connections of programs that set none
   */
  DisniRdmaCm(io.queuepair.rdmacm.RdmaCm cm, DisniContexts contexts, int retries) {
    this.cm = cm;
    this.contexts = contexts;
    this.retries = retries;
  }

  @Override
  public RdmaEventChannel createEventChannel() throws IOException {
    return new DisniEventChannel(
        DisniErrors.call("createEventChannel", cm::createEventChannel), contexts);
  }

  @Override
  public RdmaCmId createId(RdmaEventChannel channel, short portSpace) throws IOException {
    DisniEventChannel own = (DisniEventChannel) channel;
    DisniErrors.requireOpen(own.isOpen(), "createId", "event channel");
    return own.idOf(DisniErrors.call("createId", () -> own.channel().createId(RdmaPortSpace.TCP)));
  }

  @Override
  public IbvQP createQP(RdmaCmId id, IbvPd pd, IbvQPInitAttr attr) throws IOException {
    DisniCmId own = open(id, "createQP");
    DisniPd domain = (DisniPd) pd;
    DisniCq sendCq = (DisniCq) attr.getSend_cq();
    DisniCq recvCq = (DisniCq) attr.getRecv_cq();
    DisniErrors.requireOpen(domain.isOpen(), "createQP", "protection domain");
    DisniErrors.requireOpen(sendCq.isOpen() && recvCq.isOpen(), "createQP", "completion queue");
    QpType type = DisniFlags.one(QpType.class, attr.getQp_type(), "createQP", "qp_type");
    QpInitAttr initAttr =
        new QpInitAttr(type, sendCq.cq(), recvCq.cq(), null, capOf(attr.cap()), false);
    DisniErrors.run("createQP", () -> own.id().createQp(domain.pd(), initAttr));
    QueuePair qp = own.id().qp();
    IbvQP created = new DisniQp(qp, type, own.getVerbs(), pd, sendCq, recvCq);
    own.attach(created);
    return created;
  }

  private static QpCap capOf(IbvQPCap cap) {
    return new QpCap(
        cap.getMax_send_wr(), cap.getMax_recv_wr(), MAX_SGE, MAX_SGE, cap.getMax_inline_data());
  }

  @Override
  public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
    DisniCmId own = open(id, "bindAddr");
    DisniErrors.run("bindAddr", () -> own.id().bindAddr((InetSocketAddress) address));
  }

  @Override
  public void listen(RdmaCmId id, int backlog) throws IOException {
    DisniCmId own = open(id, "listen");
    DisniErrors.run("listen", () -> own.id().listen(backlog));
  }

  @Override
  public void resolveAddr(
      RdmaCmId id, SocketAddress source, SocketAddress destination, int timeoutMillis)
      throws IOException {
    DisniCmId own = open(id, "resolveAddr");
    DisniErrors.run(
        "resolveAddr",
        () ->
            own.id()
                .resolveAddr(
                    null, (InetSocketAddress) destination, Duration.ofMillis(timeoutMillis)));
  }

  @Override
  public void resolveRoute(RdmaCmId id, int timeoutMillis) throws IOException {
    DisniCmId own = open(id, "resolveRoute");
    DisniErrors.run("resolveRoute", () -> own.id().resolveRoute(Duration.ofMillis(timeoutMillis)));
  }

  /** The next event; null if there is none within the timeout, which is for ever if it is -1. */
  @Override
  public RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeoutMillis) throws IOException {
    DisniEventChannel own = (DisniEventChannel) channel;
    DisniErrors.requireOpen(own.isOpen(), "getCmEvent", "event channel");
    Optional<io.queuepair.rdmacm.RdmaCmEvent> taken =
        DisniErrors.call(
            "getCmEvent",
            () ->
                timeoutMillis <= FOR_EVER
                    ? Optional.of(own.channel().getCmEvent())
                    : own.channel().getCmEvent(Duration.ofMillis(timeoutMillis)));
    return taken.isPresent() ? acknowledged(own, taken.get()) : null;
  }

  private static RdmaCmEvent acknowledged(
      DisniEventChannel channel, io.queuepair.rdmacm.RdmaCmEvent taken) throws IOException {
    if (FAILURES.contains(taken.event())) {
      LOG.warn("{}, status {}: {}", taken.event().text(), taken.status(), taken.explain());
    }
    RdmaCmEvent event =
        new RdmaCmEvent(
            taken.event().code(), channel.idOf(taken.listenId()), channel.idOf(taken.id()));
    taken.ack();
    return event;
  }

  @Override
  public int ackCmEvent(RdmaCmEvent event) {
    return 0;
  }

  @Override
  public void connect(RdmaCmId id, RdmaConnParam param) throws IOException {
    DisniCmId own = open(id, "connect");
    io.queuepair.rdmacm.RdmaConnParam converted =
        paramOf(own, param).withPrivateData(privateDataOf(param));
    DisniErrors.run("connect", () -> own.id().connect(converted));
  }

  /** Without private data, as libdisni accepts. */
  @Override
  public void accept(RdmaCmId id, RdmaConnParam param) throws IOException {
    DisniCmId own = open(id, "accept");
    io.queuepair.rdmacm.RdmaConnParam converted = paramOf(own, param);
    DisniErrors.run("accept", () -> own.id().accept(converted));
  }

  private io.queuepair.rdmacm.RdmaConnParam paramOf(DisniCmId id, RdmaConnParam param)
      throws IOException {
    DeviceAttr device = DisniErrors.call("queryDevice", () -> id.id().verbs().queryDevice());
    int reads =
        (int)
            Math.min(
                device.limit(DeviceLimit.MAX_QP_RD_ATOM), io.queuepair.rdmacm.RdmaConnParam.MAX);
    int retryCount = param.getRetry_count() == 0 ? retries : param.getRetry_count();
    return io.queuepair.rdmacm.RdmaConnParam.of(reads, reads)
        .withRetries(retryCount, param.getRnr_retry_count());
  }

  private static byte[] privateDataOf(RdmaConnParam param) throws IOException {
    byte[] bytes = new byte[Math.max(0, param.getPrivate_data_len())];
    if (bytes.length > 0) {
      DirectMemory.view(param.getPrivate_data(), bytes.length).get(bytes);
    }
    return bytes;
  }

  @Override
  public int disconnect(RdmaCmId id) throws IOException {
    DisniCmId own = open(id, "disconnect");
    return DisniErrors.end("disconnect", own.id()::disconnect);
  }

  @Override
  public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
    DisniEventChannel own = (DisniEventChannel) channel;
    DisniErrors.requireOpen(own.isOpen(), "destroyEventChannel", "event channel");
    own.close();
    return DisniErrors.end("destroyEventChannel", own.channel()::close);
  }

  @Override
  public int destroyCmId(RdmaCmId id) throws IOException {
    DisniCmId own = open(id, "destroyCmId");
    own.close();
    return DisniErrors.end("destroyCmId", own.id()::close);
  }

  @Override
  public int destroyQP(RdmaCmId id) throws IOException {
    DisniCmId own = open(id, "destroyQP");
    DisniErrors.requireOpen(own.getQp() != null && own.getQp().isOpen(), "destroyQP", "queue pair");
    own.getQp().close();
    return DisniErrors.end("destroyQP", own.id()::destroyQp);
  }

  @Override
  public SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
    return open(id, "getSrcAddr").id().localAddr();
  }

  @Override
  public SocketAddress getDstAddr(RdmaCmId id) throws IOException {
    return open(id, "getDstAddr").id().peerAddr();
  }

  @Override
  public int destroyEp(RdmaCmId id) throws IOException {
    DisniCmId own = open(id, "destroyEp");
    return DisniErrors.end(
        "destroyEp",
        () -> {
          own.id().destroyQp();
          own.id().close();
        });
  }

  private static DisniCmId open(RdmaCmId id, String call) throws IOException {
    DisniErrors.requireOpen(id.isOpen(), call, "id");
    return (DisniCmId) id;
  }
}
