// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEngine;
import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.cm.CmState;
import io.queuepair.emulator.cm.CmTimeouts;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.CmaHeader;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.SidrStatus;
import io.queuepair.emulator.wire.TransportService;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Connects, accepts, rejects and disconnects. Called under the lock of the host. */
final class ConnectionSetup {
  /** Permissive LID: the value of both LIDs of a path that leaves the subnet. */
  private static final int PERMISSIVE_LID = 0xffff;

  private static final int MOST_RETRIES = 7;

  private final HostDriver driver;

  ConnectionSetup(HostDriver driver) {
    this.driver = driver;
  }

  private CmEngine engine() {
    return driver.engine();
  }

  void connect(String verb, IdContext id, @Nullable RdmaConnParam connParam) {
    if (id.state() != IdState.ROUTE_RESOLVED) {
      throw refusal(verb, "the route is not resolved: " + id.state().text());
    }
    checkPresent(verb, id);
    EmulatedIdResources resources = id.facade.resources();
    if (connParam == null && resources.qp() == null) {
      throw refusal(verb, "there is no queue pair on the id, and no parameters name one");
    }
    RdmaConnParam param = connParam == null ? defaults() : connParam;
    CmField privateDataField =
        id.isDatagram() ? CmField.SIDR_REQ_PRIVATE_DATA : CmField.REQ_PRIVATE_DATA;
    ImmutableBytes bytes = privateBytes(verb, param, privateDataField.bytes() - CmaHeader.BYTES);
    CmaHeader header =
        CmaHeader.of(id.source.getAddress(), id.source.getPort(), id.destination.getAddress());
    CmPeer peer =
        new CmPeer(id.device.index(), QpStates.addressOf(id.path, id.position, id.trafficClass));
    CmId cm = engine().create();
    if (id.isDatagram()) {
      CmMessage req =
          CmMessage.of(CmKind.SIDR_REQ)
              .set(CmField.SIDR_REQ_REQUEST_ID, cm.localCommId())
              .set(CmField.SIDR_REQ_PKEY, id.path.pkey())
              .set(CmField.SIDR_REQ_SERVICE_ID, serviceId(id))
              .set(CmField.SIDR_REQ_PRIVATE_DATA, header.before(bytes));
      take(id, cm);
      engine().sendSidrReq(cm, peer, req, driver.nowNanos());
      return;
    }
    NegotiatedParams negotiated = paramsOf(verb, id, param);
    id.negotiated = negotiated;
    take(id, cm);
    cm.setAckTimeout(negotiated.timeout());
    cm.setRetries(
        CmTimeouts.MAX_CM_RETRIES,
        CmTimeouts.reqNanos(CmTimeouts.CM_RESPONSE_TIMEOUT, id.path.packetLifeTime()),
        id.path.packetLifeTime());
    engine().sendReq(cm, peer, req(id, cm, param, header.before(bytes)), driver.nowNanos());
  }

  /**
   * Repeats a rejected REQ if the peer has said that it takes a smaller path MTU (IBA, 12.6.7.2,
   * additional information of reason 26); false if it has not. No program of Linux does that.
   */
  boolean asksAgain(IdContext id, CmMessage rej) {
    int code = rej.acceptableMtu();
    boolean isSmaller = code >= Mtu.MTU_256.code() && code < id.negotiated.mtu().code();
    if (!isSmaller || !engine().sendReqAgain(id.cm, code, driver.nowNanos())) {
      return false;
    }
    Mtu mtu = Mtu.values()[code - 1];
    id.path = id.path.withMtu(mtu);
    id.negotiated = id.negotiated.withMtu(mtu);
    return true;
  }

  private static void take(IdContext id, CmId cm) {
    id.cm = cm;
    id.noteLosses();
    id.enter(IdState.CONNECT);
    id.facade.host().own(cm, id);
  }

  /** Parameters if the program gives none. */
  private static RdmaConnParam defaults() {
    return RdmaConnParam.of(RdmaConnParam.MAX, RdmaConnParam.MAX);
  }

  private NegotiatedParams paramsOf(String verb, IdContext id, RdmaConnParam param) {
    int resources =
        within(verb, param.responderResources(), id.device.maxResponderResources(), "answers");
    int depth =
        within(verb, param.initiatorDepth(), id.device.maxInitiatorDepth(), "has outstanding");
    int timeout =
        id.ackTimeout == IdContext.COMPUTED_ACK_TIMEOUT
            ? CmTimeouts.ackTimeout(id.device.caAckDelay(), id.path.packetLifeTime())
            : id.ackTimeout;
    return new NegotiatedParams(
        id.path.mtu(),
        0,
        0,
        engine().startingPsn(),
        resources,
        depth,
        timeout,
        Math.min(param.retryCount(), MOST_RETRIES),
        Math.min(param.rnrRetryCount(), MOST_RETRIES));
  }

  private static int within(String verb, int asked, int most, String what) {
    if (asked == RdmaConnParam.MAX) {
      return most;
    }
    if (asked < 0 || asked > most) {
      throw refusal(verb, asked + " READs are more than the device " + what + ", " + most);
    }
    return asked;
  }

  private static ImmutableBytes privateBytes(String verb, RdmaConnParam param, int most) {
    return checked(
        verb, ImmutableBytes.of(param.privateData(), 0, param.privateData().limit()), most);
  }

  private static ImmutableBytes checked(String verb, ImmutableBytes bytes, int most) {
    if (bytes.length() > most) {
      throw refusal(verb, bytes.length() + " bytes of private data are more than " + most);
    }
    return bytes;
  }

  private static CmMessage req(IdContext id, CmId cm, RdmaConnParam param, ImmutableBytes bytes) {
    NegotiatedParams negotiated = id.negotiated;
    RdmaPath path = id.path;
    EmulatedIdResources resources = id.facade.resources();
    // An XRC initiator leaves out what only a target could use, as cm_format_req of Linux.
    boolean isInitiator = id.qpType == QpType.XRC_SEND;
    CmMessage req =
        CmMessage.of(CmKind.REQ)
            .set(CmField.MAD_ATTRIBUTE_MODIFIER, id.localEce.options())
            .set(CmField.REQ_LOCAL_COMM_ID, cm.localCommId())
            .set(CmField.REQ_VENDOR_ID, id.localEce.vendorId())
            .set(CmField.REQ_SERVICE_ID, serviceId(id))
            .set(CmField.REQ_LOCAL_CA_GUID, id.device.guid())
            .set(CmField.REQ_LOCAL_QPN, resources.qpNumOr(param.qpNum()))
            .set(CmField.REQ_INITIATOR_DEPTH, negotiated.initiatorDepth())
            .set(CmField.REQ_REMOTE_CM_RESPONSE_TIMEOUT, CmTimeouts.CM_RESPONSE_TIMEOUT)
            .set(CmField.REQ_TRANSPORT_SERVICE_TYPE, serviceOf(id.qpType).code())
            .set(CmField.REQ_EXTENDED_TRANSPORT_TYPE, id.isXrc() ? TransportService.XRC : 0)
            .set(CmField.REQ_END_TO_END_FLOW_CONTROL, param.flowControl())
            .set(CmField.REQ_STARTING_PSN, negotiated.receivePsn())
            .set(CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT, CmTimeouts.CM_RESPONSE_TIMEOUT)
            .set(CmField.REQ_PKEY, path.pkey())
            .set(CmField.REQ_PATH_MTU, path.mtu().code())
            .set(CmField.REQ_MAX_CM_RETRIES, CmTimeouts.MAX_CM_RETRIES)
            .set(CmField.REQ_PRIVATE_DATA, bytes);
    if (!isInitiator) {
      req.set(CmField.REQ_RESPONDER_RESOURCES, negotiated.responderResources())
          .set(CmField.REQ_RETRY_COUNT, negotiated.retryCount())
          .set(CmField.REQ_RNR_RETRY_COUNT, negotiated.rnrRetryCount())
          .set(CmField.REQ_SRQ, resources.hasSrqOr(param.srq()));
    }
    return setPrimaryPath(req, path, negotiated);
  }

  private static CmMessage setPrimaryPath(
      CmMessage req, RdmaPath path, NegotiatedParams negotiated) {
    return req.set(CmField.REQ_PRIMARY_LOCAL_LID, PERMISSIVE_LID)
        .set(CmField.REQ_PRIMARY_REMOTE_LID, PERMISSIVE_LID)
        .set(CmField.REQ_PRIMARY_LOCAL_GID, path.sgid())
        .set(CmField.REQ_PRIMARY_REMOTE_GID, path.dgid())
        .set(CmField.REQ_PRIMARY_FLOW_LABEL, path.flowLabel())
        .set(CmField.REQ_PRIMARY_TRAFFIC_CLASS, path.trafficClass())
        .set(CmField.REQ_PRIMARY_HOP_LIMIT, path.hopLimit())
        .set(
            CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT,
            Math.min(negotiated.timeout(), CmTimeouts.LARGEST_CODE));
  }

  private static long serviceId(IdContext id) {
    return HostServices.serviceId(id.portSpace, id.destination.getPort());
  }

  private static TransportService serviceOf(QpType type) {
    return switch (type) {
      case UC -> TransportService.UC;
      case XRC_SEND, XRC_RECV -> TransportService.EXTENDED;
      default -> TransportService.RC;
    };
  }

  /** Accepts a request. The queue pair on the id becomes ready before the peer is notified. */
  void accept(String verb, IdContext id, @Nullable RdmaConnParam connParam) {
    checkRequest(verb, id);
    EmulatedIdResources resources = id.facade.resources();
    if (connParam == null && resources.qp() == null) {
      throw refusal(verb, "there is no queue pair on the id, and no parameters name one");
    }
    if (id.isDatagram()) {
      acceptDatagrams(verb, id, connParam == null ? defaults() : connParam);
      return;
    }
    NegotiatedParams requestedParams = id.negotiated;
    RdmaConnParam param = connParam == null ? defaults() : connParam;
    int mostAnswered = id.device.maxResponderResources();
    int mostOutstanding = id.device.maxInitiatorDepth();
    int granted =
        param.responderResources() == RdmaConnParam.MAX
            ? Math.min(requestedParams.responderResources(), mostAnswered)
            : within(verb, param.responderResources(), mostAnswered, "answers");
    int depth =
        param.initiatorDepth() == RdmaConnParam.MAX
            ? Math.min(requestedParams.initiatorDepth(), mostOutstanding)
            : within(verb, param.initiatorDepth(), mostOutstanding, "has outstanding");
    ImmutableBytes bytes = answerBytes(verb, id, param, CmField.REP_PRIVATE_DATA.bytes());
    NegotiatedParams acceptedParams =
        requestedParams.accepted(granted, depth, requestedParams.rnrRetryCount());
    NegotiatedParams negotiated =
        id.ackTimeout == IdContext.COMPUTED_ACK_TIMEOUT
            ? acceptedParams
            : acceptedParams.withTimeout(id.ackTimeout);
    id.negotiated = negotiated;
    if (resources.qp() != null) {
      resources.makeReady();
    }
    CmMessage rep = rep(id, param, bytes);
    id.noteLosses();
    if (!engine().sendRep(id.cm, rep, driver.nowNanos())) {
      throw refusal(verb, "there is no request any more");
    }
    id.isAccepted = true;
  }

  /** Private data of an answer. As in Linux, private data that is too long rejects the peer. */
  private ImmutableBytes answerBytes(String verb, IdContext id, RdmaConnParam param, int most) {
    try {
      return privateBytes(verb, param, most);
    } catch (VerbsException e) {
      reject(verb, id, RejectReason.CONSUMER_DEFINED, new byte[0]);
      id.facade.resources().failQp();
      throw e;
    }
  }

  /** Creates a REP. An XRC target has its QPN in another field: cm_format_rep. */
  private static CmMessage rep(IdContext id, RdmaConnParam param, ImmutableBytes bytes) {
    NegotiatedParams negotiated = id.negotiated;
    EmulatedIdResources resources = id.facade.resources();
    boolean isTarget = id.isXrc();
    return CmMessage.of(CmKind.REP, id.cm.localCommId(), id.cm.remoteCommId())
        .set(CmField.MAD_ATTRIBUTE_MODIFIER, id.localEce.options())
        .setVendorId(id.localEce.vendorId())
        .set(
            isTarget ? CmField.REP_LOCAL_EECN : CmField.REP_LOCAL_QPN,
            resources.qpNumOr(param.qpNum()))
        .set(CmField.REP_STARTING_PSN, negotiated.receivePsn())
        .set(CmField.REP_RESPONDER_RESOURCES, negotiated.responderResources())
        .set(CmField.REP_INITIATOR_DEPTH, isTarget ? 0 : negotiated.initiatorDepth())
        .set(CmField.REP_TARGET_ACK_DELAY, id.device.caAckDelay())
        .set(CmField.REP_END_TO_END_FLOW_CONTROL, !isTarget && param.flowControl())
        .set(CmField.REP_RNR_RETRY_COUNT, Math.min(param.rnrRetryCount(), MOST_RETRIES))
        .set(CmField.REP_SRQ, isTarget || resources.hasSrqOr(param.srq()))
        .set(CmField.REP_LOCAL_CA_GUID, id.device.guid())
        .set(CmField.REP_PRIVATE_DATA, bytes);
  }

  private void acceptDatagrams(String verb, IdContext id, RdmaConnParam param) {
    ImmutableBytes bytes = answerBytes(verb, id, param, CmField.SIDR_REP_PRIVATE_DATA.bytes());
    CmMessage rep =
        sidrRep(id, SidrStatus.SUCCESS, bytes)
            .set(CmField.MAD_ATTRIBUTE_MODIFIER, id.localEce.options())
            .setVendorId(id.localEce.vendorId())
            .set(CmField.SIDR_REP_QPN, id.facade.resources().qpNumOr(param.qpNum()))
            .set(CmField.SIDR_REP_QKEY, RdmaUdParam.UDP_QKEY);
    if (!engine().sendSidrRep(id.cm, rep, driver.nowNanos())) {
      throw refusal(verb, "there is no request any more");
    }
    id.isAccepted = true;
  }

  private static CmMessage sidrRep(IdContext id, SidrStatus status, ImmutableBytes bytes) {
    return CmMessage.of(CmKind.SIDR_REP)
        .set(CmField.SIDR_REP_REQUEST_ID, id.cm.remoteCommId())
        .set(CmField.SIDR_REP_STATUS, status.code())
        .set(CmField.SIDR_REP_SERVICE_ID, id.serviceId)
        .set(CmField.SIDR_REP_PRIVATE_DATA, bytes);
  }

  private void checkRequest(String verb, IdContext id) {
    if (id.cm == null || !id.cm.state().isPending()) {
      throw refusal(verb, "there is no request to answer: " + id.state().text());
    }
    checkPresent(verb, id);
  }

  void reject(String verb, IdContext id, RejectReason reason, byte[] privateData) {
    ImmutableBytes privateDataBytes = ImmutableBytes.of(privateData);
    boolean isPending = id.cm != null && id.cm.state().isPending();
    if (!isPending || !id.isDatagram()) {
      rejectConnection(verb, id, reason, privateDataBytes);
      return;
    }
    ImmutableBytes bytes = checked(verb, privateDataBytes, CmField.SIDR_REP_PRIVATE_DATA.bytes());
    engine().sendSidrRep(id.cm, sidrRep(id, SidrStatus.REJECT, bytes), driver.nowNanos());
  }

  private void rejectConnection(
      String verb, IdContext id, RejectReason reason, ImmutableBytes privateDataBytes) {
    ImmutableBytes bytes = checked(verb, privateDataBytes, CmField.REJ_PRIVATE_DATA.bytes());
    boolean isThere = id.cm != null && engine().sendRej(id.cm, reason, bytes, driver.nowNanos());
    if (!isThere) {
      throw refusal(verb, "there is no request to reject: " + id.state().text());
    }
  }

  void establish(String verb, IdContext id) {
    if (id.facade.resources().qp() != null) {
      throw refusal(verb, "there is a queue pair on the id, for which this happens by itself");
    }
    boolean isThere = id.cm != null && engine().sendRtu(id.cm, driver.nowNanos());
    if (!isThere) {
      throw refusal(verb, "the peer has not accepted: " + id.state().text());
    }
    id.isAccepted = true;
  }

  void notify(String verb, IdContext id, EventType event) {
    if (event != EventType.COMM_EST) {
      throw refusal(verb, event + " says nothing of a connection, only COMM_EST does");
    }
    boolean isThere = id.cm != null && engine().notify(id.cm, driver.nowNanos());
    if (isThere) {
      return;
    }
    boolean isEstablished = id.cm != null && id.cm.state() == CmState.ESTABLISHED;
    if (isEstablished) {
      throw new VerbsException(Errno.EISCONN, verb, "the connection is there already");
    }
    throw refusal(verb, "nothing was accepted: " + id.state().text());
  }

  /**
   * Sends a DREQ, or answers that of the peer. In other states, as before the RTU and after a REJ,
   * only the queue pair fails, as in Linux. Without a connection the queue pair fails, too, before
   * the call is refused.
   */
  void disconnect(String verb, IdContext id) {
    id.facade.resources().failQp();
    if (id.cm == null) {
      boolean listensAtDevice = id.state() == IdState.LISTEN && id.device != null;
      if (!listensAtDevice) {
        throw refusal(verb, "there is no connection: " + id.state().text());
      }
      return;
    }
    id.noteLosses();
    if (!engine().sendDreq(id.cm, driver.nowNanos())) {
      engine().sendDrep(id.cm, driver.nowNanos());
    }
  }

  /** Whether DISCONNECTED is awaited, or was delivered. */
  static boolean isDisconnecting(IdContext id) {
    boolean isAsked = id.cm != null && id.cm.state() == CmState.DREQ_SENT;
    return id.state() == IdState.DISCONNECT || isAsked;
  }

  private static void checkPresent(String verb, IdContext id) {
    if (id.device.isRemoved()) {
      throw new VerbsException(Errno.ENODEV, verb, "the device of the id is gone");
    }
  }

  private static VerbsException refusal(String verb, String why) {
    return new VerbsException(Errno.EINVAL, verb, why);
  }
}
