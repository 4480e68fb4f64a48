// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEvent;
import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmListener;
import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.cm.CmTimeouts;
import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.Action;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
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

/**
 * Turns events of the engine into those of ids: cma_ib_handler, in the states of an id in which
 * that does. Under the host's lock.
 */
final class EventDispatch {
  /** Parameters of ESTABLISHED at the passive side: an RTU carries none. */
  private static final RdmaConnParam NOTHING_SAID =
      new RdmaConnParam(ByteBuffer.allocate(0), 0, 0, false, 0, 0, false, 0);

  private final EmulatedHost host;

  EventDispatch(EmulatedHost host) {
    this.host = host;
  }

  void accept(CmEvent event) {
    IdContext id = host.ownerOf(event.id());
    switch (event.type()) {
      case REQ_RECEIVED, SIDR_REQ_RECEIVED -> request(event, event.message());
      case TIMEWAIT_EXIT -> timewaitExit(event, id);
      case MRA_RECEIVED -> {}
      default -> {
        // As in ucma.c, a connection has no events before the program has accepted it. The program
        // may still take the request of a connection that has failed, but its answer is refused.
        boolean isKnown = id != null && !id.isUnacceptedRequest();
        if (isKnown && id.state() == IdState.CONNECT) {
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
      case REP_RECEIVED -> replied(event, id, event.message());
      case RTU_RECEIVED, USER_ESTABLISHED ->
          host.tell(
              id, EventContent.ofConnection(RdmaCmEventType.ESTABLISHED, 0, NOTHING_SAID, why));
      case REJ_RECEIVED -> rejected(id, event.message(), why);
      case DREQ_ERROR -> disconnected(id, -Errno.ETIMEDOUT.code(), why + losses(id));
      case DREQ_RECEIVED, DREP_RECEIVED -> disconnected(id, 0, why);
      case SIDR_REP_RECEIVED -> resolved(event, id, event.message());
      case REQ_RECEIVED, SIDR_REQ_RECEIVED, TIMEWAIT_EXIT, MRA_RECEIVED -> {}
    }
  }

  /** Fates of lost messages in both directions, as far as this process knows. */
  private static String losses(IdContext id) {
    InetAddress own = id.source.getAddress();
    InetAddress peer = id.destination.getAddress();
    return losses(id, own, peer, " Of what was sent, ")
        + losses(id, peer, own, " Of what came back, ");
  }

  private static String losses(IdContext id, InetAddress from, InetAddress to, String begin) {
    StringJoiner fates = new StringJoiner("; ", begin, ".");
    fates.setEmptyValue("");
    Map<String, Integer> known = id.device.agent().losses(from, to, id.knownLosses);
    known.forEach((fate, times) -> fates.add(Quantity.of(times, "message") + " " + fate));
    return fates.toString();
  }

  private void disconnected(IdContext id, int status, String why) {
    id.enter(IdState.DISCONNECT);
    host.tell(id, EventContent.of(RdmaCmEventType.DISCONNECTED, status, why));
  }

  private void timewaitExit(CmEvent event, @Nullable IdContext id) {
    host.releaseQpn(event.id());
    if (id != null && id.state() == IdState.DISCONNECT) {
      host.tell(id, EventContent.of(RdmaCmEventType.TIMEWAIT_EXIT, 0, event.explanation()));
    }
  }

  private void request(CmEvent event, CmMessage req) {
    IdContext listenerId = host.listening(event.listener());
    if (listenerId == null) {
      host.driver().engine().destroy(event.id(), host.driver().nowNanos());
      return;
    }
    IdContext id = child(listenerId, event.id(), req.serviceId(), req.privateData());
    ByteBuffer privateData = CmaHeader.userBytes(req.privateData()).toBuffer();
    if (req.kind() == CmKind.SIDR_REQ) {
      id.serviceId = req.serviceId();
      RdmaUdParam param = new RdmaUdParam(privateData, null, 0, 0);
      host.tellRequest(
          id, listenerId, EventContent.ofDatagrams(RdmaCmEventType.CONNECT_REQUEST, 0, param, ""));
      return;
    }
    setConnection(id, event.id().peer(), req);
    RdmaConnParam param =
        new RdmaConnParam(
            privateData,
            id.negotiated.responderResources(),
            id.negotiated.initiatorDepth(),
            req.isSet(CmField.REQ_END_TO_END_FLOW_CONTROL),
            id.negotiated.retryCount(),
            id.negotiated.rnrRetryCount(),
            req.isSet(CmField.REQ_SRQ),
            id.negotiated.peerQpn());
    host.driver().engine().prepareMra(event.id(), host.driver().nowNanos());
    host.tellRequest(
        id, listenerId, EventContent.ofConnection(RdmaCmEventType.CONNECT_REQUEST, 0, param, ""));
  }

  /** Sets the path and the parameters of a request, as the peer asks for them. */
  private void setConnection(IdContext id, CmPeer peer, CmMessage req) {
    GlobalRoute returnRoute = peer.ahAttr().grh();
    Mtu mtu = Mtu.values()[req.getInt(CmField.REQ_PATH_MTU) - 1];
    id.path =
        new RdmaPath(
            req.getGid(CmField.REQ_PRIMARY_REMOTE_GID),
            req.getGid(CmField.REQ_PRIMARY_LOCAL_GID),
            mtu,
            req.getInt(CmField.REQ_PKEY),
            req.getInt(CmField.REQ_PRIMARY_FLOW_LABEL),
            req.getInt(CmField.REQ_PRIMARY_TRAFFIC_CLASS),
            Math.max(req.getInt(CmField.REQ_PRIMARY_HOP_LIMIT), 1),
            CmTimeouts.PACKET_LIFETIME);
    id.trafficClass = Math.max(id.trafficClass, returnRoute.trafficClass());
    // READs of one side are answered by the other.
    int answered = req.getInt(CmField.REQ_INITIATOR_DEPTH);
    int outstanding = req.getInt(CmField.REQ_RESPONDER_RESOURCES);
    id.negotiated =
        new NegotiatedParams(
            mtu,
            req.getInt(CmField.REQ_LOCAL_QPN),
            req.getInt(CmField.REQ_STARTING_PSN),
            host.driver().engine().startingPsn(),
            answered,
            outstanding,
            req.getInt(CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT),
            req.getInt(CmField.REQ_RETRY_COUNT),
            req.getInt(CmField.REQ_RNR_RETRY_COUNT));
    id.remoteEce = new Ece(req.vendorId(), req.eceOptions());
  }

  private IdContext child(
      IdContext listenerId, CmId cm, long serviceId, ImmutableBytes privateData) {
    CmaHeader header = CmaHeader.read(privateData);
    IdContext id = host.createChild(listenerId);
    id.source = new InetSocketAddress(header.destinationAddress(), HostServices.portOf(serviceId));
    id.destination = new InetSocketAddress(header.sourceAddress(), header.sourcePort());
    id.trafficClass = listenerId.trafficClass;
    id.cm = cm;
    id.bindTo(host.driver().devices().get(cm.peer().device()), EmulatedHost.placeOf(cm.peer()));
    id.enter(IdState.CONNECT);
    host.own(cm, id);
    return id;
  }

  private void replied(CmEvent event, IdContext id, CmMessage rep) {
    int asked = id.negotiated.timeout();
    int qpn = rep.repQpn(id.isXrc());
    boolean isComputed = id.ackTimeout == IdContext.COMPUTED_ACK_TIMEOUT;
    int timeout =
        isComputed
            ? CmTimeouts.ackTimeout(
                rep.getInt(CmField.REP_TARGET_ACK_DELAY), Math.max(asked - 1, 0))
            : asked;
    NegotiatedParams negotiated = id.negotiated.answered(rep, qpn, timeout);
    id.negotiated = negotiated;
    event.id().setAckTimeout(timeout);
    id.remoteEce = new Ece(rep.vendorId(), rep.eceOptions());
    RdmaConnParam param =
        new RdmaConnParam(
            rep.privateData().toBuffer(),
            negotiated.responderResources(),
            negotiated.initiatorDepth(),
            rep.isSet(CmField.REP_END_TO_END_FLOW_CONTROL),
            0, // A REP has no such field.
            negotiated.rnrRetryCount(),
            rep.isSet(CmField.REP_SRQ),
            qpn);
    host.driver().engine().prepareMra(event.id(), host.driver().nowNanos());
    host.tell(
        id,
        EventContent.ofConnection(RdmaCmEventType.CONNECT_RESPONSE, 0, param, event.explanation()),
        Action.MAKE_READY,
        null);
  }

  private void rejected(IdContext id, CmMessage rej, String why) {
    if (host.connectionSetup().asksAgain(id, rej)) {
      return;
    }
    RdmaConnParam param =
        new RdmaConnParam(rej.privateData().toBuffer(), 0, 0, false, 0, 0, false, 0);
    host.tell(
        id,
        EventContent.ofConnection(
            RdmaCmEventType.REJECTED, rej.getInt(CmField.REJ_REASON), param, why),
        Action.FAIL_QP,
        null);
  }

  private void resolved(CmEvent event, IdContext id, CmMessage rep) {
    id.remoteEce = new Ece(rep.vendorId(), rep.eceOptions());
    int status = rep.getInt(CmField.SIDR_REP_STATUS);
    boolean isSuccess = status == SidrStatus.SUCCESS.code();
    AhAttr ahAttr = QpStates.addressOf(id.path, id.position, id.trafficClass);
    RdmaUdParam param =
        new RdmaUdParam(
            rep.privateData().toBuffer(),
            ahAttr,
            rep.getInt(CmField.SIDR_REP_QPN),
            rep.getInt(CmField.SIDR_REP_QKEY));
    RdmaCmEventType type = isSuccess ? RdmaCmEventType.ESTABLISHED : RdmaCmEventType.UNREACHABLE;
    host.tell(id, EventContent.ofDatagrams(type, status, param, event.explanation()));
  }

  static boolean isOpen(@Nullable CmListener listener) {
    return listener != null && !listener.isClosed();
  }
}
