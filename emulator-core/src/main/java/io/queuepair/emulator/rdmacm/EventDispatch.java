// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEvent;
import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmListener;
import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.cm.CmTimeouts;
import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.FollowUp;
import io.queuepair.emulator.wire.CmMad;
import io.queuepair.emulator.wire.CmRej;
import io.queuepair.emulator.wire.CmRep;
import io.queuepair.emulator.wire.CmReq;
import io.queuepair.emulator.wire.CmSidrRep;
import io.queuepair.emulator.wire.CmSidrReq;
import io.queuepair.emulator.wire.CmaHeader;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.SidrStatus;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What events of the engine mean to ids, as {@code cma_ib_handler}. Under the host's lock. */
final class EventDispatch {
  /** Parameters of ESTABLISHED at the passive side: an RTU carries none. */
  private static final RdmaConnParam NOTHING_SAID =
      new RdmaConnParam(ByteBuffer.allocate(0), 0, 0, false, 0, 0, false, 0);

  private final EmulatedRdmaCm host;

  EventDispatch(EmulatedRdmaCm host) {
    this.host = host;
  }

  void accept(CmEvent event) {
    IdContext id = host.ownerOf(event.id());
    switch (event.type()) {
      case REQ_RECEIVED -> request(event, (CmReq) event.mad().message());
      case SIDR_REQ_RECEIVED -> request(event, (CmSidrReq) event.mad().message());
      case TIMEWAIT_EXIT -> timewaitExit(event, id);
      case MRA_RECEIVED -> {}
      default -> {
        // As ucma.c: the program knows of a new connection only when it has accepted it. Before
        // that it has a request that it may take, and that it can answer no more.
        boolean isKnown = id != null && !id.isUnacceptedRequest();
        if (isKnown && id.state() != IdState.DESTROYED) {
          tell(event, id);
        }
      }
    }
  }

  private void tell(CmEvent event, IdContext id) {
    String why = event.explanation();
    switch (event.type()) {
      case REQ_ERROR, REP_ERROR, SIDR_REQ_ERROR ->
          host.tell(
              id,
              EventContent.of(
                  RdmaCmEventType.UNREACHABLE, -Errno.ETIMEDOUT.code(), why + losses(id)));
      case REP_RECEIVED -> replied(event, id, (CmRep) event.mad().message());
      case RTU_RECEIVED, USER_ESTABLISHED ->
          host.tell(
              id, EventContent.ofConnection(RdmaCmEventType.ESTABLISHED, 0, NOTHING_SAID, why));
      case REJ_RECEIVED -> rejected(id, (CmRej) event.mad().message(), why);
      case DREQ_ERROR -> disconnected(id, -Errno.ETIMEDOUT.code(), why + losses(id));
      case DREQ_RECEIVED, DREP_RECEIVED -> disconnected(id, 0, why);
      case SIDR_REP_RECEIVED -> resolved(event, id, (CmSidrRep) event.mad().message());
      case REQ_RECEIVED, SIDR_REQ_RECEIVED, TIMEWAIT_EXIT, MRA_RECEIVED -> {}
    }
  }

  /** What became of messages both ways, as far as the network of the process knows. */
  private static String losses(IdContext id) {
    InetAddress own = id.source().getAddress();
    InetAddress peer = id.destination().getAddress();
    return losses(id, own, peer, " Of what was sent, ")
        + losses(id, peer, own, " Of what came back, ");
  }

  private static String losses(IdContext id, InetAddress from, InetAddress to, String begin) {
    StringJoiner fates = new StringJoiner("; ", begin, ".");
    fates.setEmptyValue("");
    Map<String, Integer> known = id.device().agent().losses(from, to, id.knownLosses());
    known.forEach((fate, times) -> fates.add(Quantity.of(times, "message") + " " + fate));
    return fates.toString();
  }

  private void disconnected(IdContext id, int status, String why) {
    if (id.state() == IdState.CONNECT) {
      id.enter(IdState.DISCONNECT);
      host.tell(id, EventContent.of(RdmaCmEventType.DISCONNECTED, status, why));
    }
  }

  private void timewaitExit(CmEvent event, @Nullable IdContext id) {
    host.releaseQpn(event.id());
    if (id != null && id.state() != IdState.DESTROYED) {
      host.tell(id, EventContent.of(RdmaCmEventType.TIMEWAIT_EXIT, 0, event.explanation()));
    }
  }

  private void request(CmEvent event, CmReq req) {
    IdContext listener = host.listening(event.listener());
    if (listener == null) {
      host.driver().engine().destroy(event.id(), host.driver().nowNanos());
      return;
    }
    IdContext id = child(listener, event.id(), req.serviceId(), req.privateBytes());
    CmPeer peer = event.id().peer();
    GlobalRoute back = peer.address().grh();
    id.setPath(
        new RdmaPath(
            req.primary().remoteGid(),
            req.primary().localGid(),
            mtuOf(req.pathMtu()),
            req.pkey(),
            req.primary().flowLabel(),
            req.primary().trafficClass(),
            Math.max(req.primary().hopLimit(), 1),
            CmTimeouts.PACKET_LIFETIME));
    id.setTrafficClass(Math.max(id.trafficClass(), back.trafficClass()));
    int answered = req.initiatorDepth(); // What one side starts, the other answers.
    int outstanding = req.responderResources();
    id.setTerms(
        new Terms(
            mtuOf(req.pathMtu()),
            req.localQpn(),
            req.startingPsn(),
            host.driver().engine().startingPsn(),
            answered,
            outstanding,
            req.primary().localAckTimeout(),
            req.retryCount(),
            req.rnrRetryCount()));
    id.setRemoteEce(new Ece(req.vendorId(), event.mad().header().attributeModifier()));
    RdmaConnParam param =
        new RdmaConnParam(
            CmaHeader.userBytes(req.privateBytes()).toBuffer(),
            answered,
            outstanding,
            req.endToEndFlowControl(),
            req.retryCount(),
            req.rnrRetryCount(),
            req.srq(),
            req.localQpn());
    host.driver().engine().prepareMra(event.id(), host.driver().nowNanos());
    host.tellRequest(
        id, listener, EventContent.ofConnection(RdmaCmEventType.CONNECT_REQUEST, 0, param, ""));
  }

  private static Mtu mtuOf(int code) {
    return Mtu.values()[code - 1];
  }

  private void request(CmEvent event, CmSidrReq req) {
    IdContext listener = host.listening(event.listener());
    if (listener == null) {
      host.driver().engine().destroy(event.id(), host.driver().nowNanos());
      return;
    }
    IdContext id = child(listener, event.id(), req.serviceId(), req.privateBytes());
    id.setServiceId(req.serviceId());
    RdmaUdParam param =
        new RdmaUdParam(CmaHeader.userBytes(req.privateBytes()).toBuffer(), null, 0, 0);
    host.tellRequest(
        id, listener, EventContent.ofDatagrams(RdmaCmEventType.CONNECT_REQUEST, 0, param, ""));
  }

  private IdContext child(
      IdContext listener, CmId cm, long serviceId, ImmutableBytes privateBytes) {
    CmaHeader header = CmaHeader.read(privateBytes);
    IdContext id = host.createChild(listener);
    id.setSource(
        new InetSocketAddress(header.destinationAddress(), HostServices.portOf(serviceId)));
    id.setDestination(new InetSocketAddress(header.sourceAddress(), header.sourcePort()));
    id.setTrafficClass(listener.trafficClass());
    id.setCm(cm);
    id.bindTo(host.driver().devices().get(cm.peer().device()), EmulatedRdmaCm.placeOf(cm.peer()));
    id.enter(IdState.CONNECT);
    host.own(cm, id);
    return id;
  }

  private void replied(CmEvent event, IdContext id, CmRep rep) {
    CmMad mad = event.mad();
    int asked = id.terms().timeout();
    int qpn = rep.qpn(id.isXrc());
    boolean isComputed = id.ackTimeout() == IdContext.COMPUTED_ACK_TIMEOUT;
    int timeout =
        isComputed ? CmTimeouts.ackTimeout(rep.targetAckDelay(), Math.max(asked - 1, 0)) : asked;
    Terms terms = id.terms().answered(rep, qpn, timeout);
    id.setTerms(terms);
    event.id().setAckTimeout(timeout);
    id.setRemoteEce(new Ece(rep.vendorId(), mad.header().attributeModifier()));
    RdmaConnParam param =
        new RdmaConnParam(
            rep.privateBytes().toBuffer(),
            terms.responderResources(),
            terms.initiatorDepth(),
            rep.endToEndFlowControl(),
            0, // A REP has no such field.
            terms.rnrRetryCount(),
            rep.srq(),
            qpn);
    host.driver().engine().prepareMra(event.id(), host.driver().nowNanos());
    host.tell(
        id,
        EventContent.ofConnection(RdmaCmEventType.CONNECT_RESPONSE, 0, param, event.explanation()),
        FollowUp.MAKE_READY,
        null);
  }

  private void rejected(IdContext id, CmRej rej, String why) {
    if (host.connecting().asksAgain(id, rej)) {
      return;
    }
    boolean wasThere = id.isAccepted();
    RdmaConnParam param =
        new RdmaConnParam(rej.privateBytes().toBuffer(), 0, 0, false, 0, 0, false, 0);
    if (wasThere) {
      id.enter(IdState.DISCONNECT);
    }
    host.tell(
        id,
        EventContent.ofConnection(RdmaCmEventType.REJECTED, rej.reason(), param, why),
        FollowUp.FAIL_QP,
        null);
  }

  private void resolved(CmEvent event, IdContext id, CmSidrRep rep) {
    id.setRemoteEce(new Ece(rep.vendorId(), event.mad().header().attributeModifier()));
    boolean isSuccess = rep.status() == SidrStatus.SUCCESS.code();
    AhAttr address = QpStates.addressOf(id.path(), id.place(), id.trafficClass());
    RdmaUdParam param =
        new RdmaUdParam(rep.privateBytes().toBuffer(), address, rep.qpn(), rep.qkey());
    RdmaCmEventType type = isSuccess ? RdmaCmEventType.ESTABLISHED : RdmaCmEventType.UNREACHABLE;
    host.tell(id, EventContent.ofDatagrams(type, rep.status(), param, event.explanation()));
  }

  /** The listener that a request came to; null if it is closed. */
  static boolean isOpen(@Nullable CmListener listener) {
    return listener != null && !listener.isClosed();
  }
}
