// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.cm.CmEngine.Cause;
import io.queuepair.emulator.cm.CmServices.Admission;
import io.queuepair.emulator.wire.AnsweredMessage;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.SidrStatus;
import io.queuepair.emulator.wire.TransportService;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id that a message concerns. A message that names a connection counts only if it comes
 * from the address of the peer and names both communication IDs, as far as the peer can know them.
 */
final class CmReceiver {
  private static final int LARGEST_MTU_CODE = 5;

  private final CmEngine engine;
  private final CmIds ids;
  private final CmServices services;

  CmReceiver(CmEngine engine, CmIds ids, CmServices services) {
    this.engine = engine;
    this.ids = ids;
    this.services = services;
  }

  void receive(CmPeer from, CmMessage message, long nowNanos) {
    switch (message.kind()) {
      case REQ -> receiveReq(from, message, nowNanos);
      case MRA -> receiveMra(from, message, nowNanos);
      case REJ -> receiveRej(from, message, nowNanos);
      case REP -> receiveRep(from, message, nowNanos);
      case RTU -> step(known(from, message), CmInput.RTU, message, nowNanos);
      case DREQ -> receiveDreq(from, message, nowNanos);
      case DREP -> step(known(from, message), CmInput.DREP, message, nowNanos);
      case SIDR_REQ -> receiveSidrReq(from, message, nowNanos);
      case SIDR_REP ->
          step(addressed(from, message.localCommId()), CmInput.SIDR_REP, message, nowNanos);
      case LAP, APR -> {} // RoCE has no alternate paths, and cm_lap_handler of Linux ignores them.
    }
  }

  private void step(@Nullable CmId id, CmInput input, CmMessage message, long nowNanos) {
    if (id != null) {
      engine.step(id, input, new Cause(message, null, nowNanos));
    }
  }

  /** The id with a local communication ID if the message comes from its peer; otherwise null. */
  private @Nullable CmId addressed(CmPeer from, int ownId) {
    CmId id = ids.local(ownId);
    boolean isItsPeer =
        id != null
            && id.peer() != null
            && id.peer().gid().equals(from.gid())
            && id.peer().device() == from.device();
    return isItsPeer ? id : null;
  }

  /** The id that a message names, if it also names the communication ID of its peer. */
  private @Nullable CmId known(CmPeer from, CmMessage message) {
    CmId id = addressed(from, message.remoteCommId());
    return id != null && id.knowsRemoteId() && id.remoteCommId() == message.localCommId()
        ? id
        : null;
  }

  private void receiveReq(CmPeer from, CmMessage req, long nowNanos) {
    long caGuid = req.get(CmField.REQ_LOCAL_CA_GUID);
    CmId repeatedId = ids.remote(from, caGuid, req.localCommId());
    if (repeatedId != null) {
      step(repeatedId, CmInput.REQ, req, nowNanos);
      return;
    }
    CmId staleId = ids.connectedTo(from, caGuid, req.getInt(CmField.REQ_LOCAL_QPN));
    if (staleId != null) {
      services.refused(from, req, RejectReason.STALE_CONN);
      step(staleId, CmInput.STALE_REQ, req, nowNanos);
      return;
    }
    RejectReason reason = faultOf(req);
    Admission admission = reason == null ? services.admit(from, req) : Admission.refused(reason);
    if (admission.rejectReason() != null) {
      services.refused(from, req, admission.rejectReason());
      engine.send(from, CmReplies.refusal(req, admission.rejectReason(), admission.information()));
    } else if (!admission.listener().isFull()) {
      CmId id = engine.create();
      id.setPeer(from);
      id.setListener(admission.listener());
      id.setAckTimeout(req.getInt(CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT));
      id.setRetries(
          req.getInt(CmField.REQ_MAX_CM_RETRIES),
          CmTimeouts.nanosOf(req.getInt(CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT)),
          CmTimeouts.PACKET_LIFETIME);
      step(id, CmInput.REQ, req, nowNanos);
    }
  }

  /** Reason why no listener can serve a REQ; null if there is none. */
  private static @Nullable RejectReason faultOf(CmMessage req) {
    TransportService service = req.transportService();
    if (service != TransportService.RC && service != TransportService.UC && !req.isXrc()) {
      return RejectReason.INVALID_TRANSPORT_TYPE;
    }
    int pathMtu = req.getInt(CmField.REQ_PATH_MTU);
    return pathMtu < 1 || pathMtu > LARGEST_MTU_CODE ? RejectReason.INVALID_MTU : null;
  }

  private void receiveRep(CmPeer from, CmMessage rep, long nowNanos) {
    CmId id = addressed(from, rep.remoteCommId());
    boolean isUnknown = id == null ? !ids.has(rep.remoteCommId()) : id.state() == CmState.IDLE;
    if (isUnknown) {
      engine.send(from, CmReplies.refusal(rep, RejectReason.INVALID_COMM_ID, ImmutableBytes.EMPTY));
      return;
    }
    if (id == null || (id.knowsRemoteId() && id.remoteCommId() != rep.localCommId())) {
      return;
    }
    CmId other = ids.connectedTo(from, rep.get(CmField.REP_LOCAL_CA_GUID), rep.repQpn(id.isXrc()));
    boolean isFirst = !id.knowsRemoteId() && id.state().awaitsAnswer();
    if (isFirst && other != null && other != id) {
      step(id, CmInput.STALE_REP, rep, nowNanos);
      step(other, CmInput.STALE_REP, rep, nowNanos);
      return;
    }
    step(id, CmInput.REP, rep, nowNanos);
  }

  private void receiveMra(CmPeer from, CmMessage mra, long nowNanos) {
    if (mra.answered() == AnsweredMessage.REQ) {
      step(addressed(from, mra.remoteCommId()), CmInput.MRA_OF_REQ, mra, nowNanos);
    } else if (mra.answered() == AnsweredMessage.REP) {
      step(known(from, mra), CmInput.MRA_OF_REP, mra, nowNanos);
    }
  }

  private void receiveRej(CmPeer from, CmMessage rej, long nowNanos) {
    boolean isStale = rej.getInt(CmField.REJ_REASON) == RejectReason.STALE_CONN.code();
    step(rejected(from, rej), isStale ? CmInput.REJ_STALE : CmInput.REJ, rej, nowNanos);
  }

  /** The id that a REJ is for; null if there is none. */
  private @Nullable CmId rejected(CmPeer from, CmMessage rej) {
    if (rej.getInt(CmField.REJ_REASON) == RejectReason.TIMEOUT.code()) {
      CmId id = ids.remote(from, CmReplies.guidIn(rej), rej.localCommId());
      if (id != null) {
        return id;
      }
    }
    CmId id = addressed(from, rej.remoteCommId());
    if (id == null) {
      return null;
    }
    boolean namesPeer = id.knowsRemoteId() && id.remoteCommId() == rej.localCommId();
    boolean isFirstAnswer = rej.answered() == AnsweredMessage.REQ && !id.knowsRemoteId();
    return namesPeer || isFirstAnswer ? id : null;
  }

  /** Takes a DREQ. One for an unknown connection is answered as if the connection had ended. */
  private void receiveDreq(CmPeer from, CmMessage dreq, long nowNanos) {
    if (!ids.has(dreq.remoteCommId())) {
      engine.send(from, CmReplies.drep(dreq));
      return;
    }
    CmId id = known(from, dreq);
    if (id != null && id.localQpn() == dreq.getInt(CmField.DREQ_REMOTE_QPN)) {
      step(id, CmInput.DREQ, dreq, nowNanos);
    }
  }

  private void receiveSidrReq(CmPeer from, CmMessage req, long nowNanos) {
    CmId repeatedId = ids.request(from, req.localCommId());
    if (repeatedId != null) {
      step(repeatedId, CmInput.SIDR_REQ, req, nowNanos);
      return;
    }
    Admission admission = services.admit(from, req);
    if (admission.rejectReason() != null) {
      SidrStatus status =
          admission.rejectReason() == RejectReason.INVALID_SERVICE_ID
              ? SidrStatus.UNSUPPORTED
              : SidrStatus.REJECT;
      engine.send(
          from,
          CmReplies.sidrRefusal(req.localCommId(), req.serviceId(), status)
              .set(CmField.MAD_TRANSACTION_ID, req.transactionId()));
    } else if (!admission.listener().isFull()) {
      CmId id = engine.create();
      id.setPeer(from);
      id.setListener(admission.listener());
      step(id, CmInput.SIDR_REQ, req, nowNanos);
    }
  }
}
