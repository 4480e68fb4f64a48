// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.cm.CmEngine.Cause;
import io.queuepair.emulator.cm.CmServices.Admission;
import io.queuepair.emulator.wire.AnsweredMessage;
import io.queuepair.emulator.wire.CmApr;
import io.queuepair.emulator.wire.CmDrep;
import io.queuepair.emulator.wire.CmDreq;
import io.queuepair.emulator.wire.CmLap;
import io.queuepair.emulator.wire.CmMad;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.CmMra;
import io.queuepair.emulator.wire.CmRej;
import io.queuepair.emulator.wire.CmRep;
import io.queuepair.emulator.wire.CmReq;
import io.queuepair.emulator.wire.CmRtu;
import io.queuepair.emulator.wire.CmSidrRep;
import io.queuepair.emulator.wire.CmSidrReq;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.SidrStatus;
import io.queuepair.emulator.wire.TransportService;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whom a message concerns. One that names a connection counts only if it comes from where
 * the peer is and names both ids, as far as the peer can know them: strangers have no say.
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

  void receive(CmPeer from, CmMad mad, long nowNanos) {
    CmMessage message = mad.message();
    if (message instanceof CmReq req) {
      receive(from, mad, req, nowNanos);
    } else if (message instanceof CmRep rep) {
      receive(from, mad, rep, nowNanos);
    } else if (message instanceof CmRej rej) {
      CmInput input =
          rej.reason() == RejectReason.STALE_CONN.code() ? CmInput.REJ_STALE : CmInput.REJ;
      step(rejected(from, rej), input, mad, nowNanos);
    } else if (message instanceof CmMra mra) {
      receive(from, mad, mra, nowNanos);
    } else if (message instanceof CmRtu rtu) {
      step(known(from, rtu.localCommId(), rtu.remoteCommId()), CmInput.RTU, mad, nowNanos);
    } else if (message instanceof CmDreq dreq) {
      receive(from, mad, dreq, nowNanos);
    } else if (message instanceof CmDrep drep) {
      step(known(from, drep.localCommId(), drep.remoteCommId()), CmInput.DREP, mad, nowNanos);
    } else if (message instanceof CmSidrReq req) {
      receive(from, mad, req, nowNanos);
    } else if (message instanceof CmSidrRep rep) {
      step(addressed(from, rep.requestId()), CmInput.SIDR_REP, mad, nowNanos);
    } else if (message instanceof CmLap lap) {
      step(known(from, lap.localCommId(), lap.remoteCommId()), CmInput.LAP, mad, nowNanos);
    } else if (message instanceof CmApr apr) {
      step(known(from, apr.localCommId(), apr.remoteCommId()), CmInput.APR, mad, nowNanos);
    }
  }

  private void step(@Nullable CmId id, CmInput input, CmMad mad, long nowNanos) {
    if (id != null) {
      engine.step(id, input, new Cause(mad, null, nowNanos));
    }
  }

  /** The end that a message is for, if it comes from where its peer is; otherwise null. */
  private @Nullable CmId addressed(CmPeer from, int ownId) {
    CmId id = ids.local(ownId);
    boolean isItsPeer =
        id != null
            && id.peer() != null
            && id.peer().gid().equals(from.gid())
            && id.peer().device() == from.device();
    return isItsPeer ? id : null;
  }

  /** The same, if the peer also names its own id. */
  private @Nullable CmId known(CmPeer from, int peersId, int ownId) {
    CmId id = addressed(from, ownId);
    return id != null && id.knowsRemoteId() && id.remoteCommId() == peersId ? id : null;
  }

  private void receive(CmPeer from, CmMad mad, CmReq req, long nowNanos) {
    CmId repeated = ids.remote(from, req.localCaGuid(), req.localCommId());
    if (repeated != null) {
      step(repeated, CmInput.REQ, mad, nowNanos);
      return;
    }
    CmId stale = ids.connectedTo(from, req.localCaGuid(), req.localQpn());
    if (stale != null) {
      services.refused(from, req, RejectReason.STALE_CONN);
      step(stale, CmInput.STALE_REQ, mad, nowNanos);
      return;
    }
    RejectReason fault = faultOf(req);
    Admission admission = fault == null ? services.admit(from, req) : Admission.refused(fault);
    if (admission.refusal() != null) {
      services.refused(from, req, admission.refusal());
      engine.refuse(from, mad, admission.refusal(), admission.information());
    } else if (!admission.listener().isFull()) {
      CmId id = engine.create();
      id.setPeer(from);
      id.setListener(admission.listener());
      id.setAckTimeout(req.primary().localAckTimeout());
      id.setRetries(
          req.maxCmRetries(),
          CmTimeouts.nanosOf(req.localCmResponseTimeout()),
          CmTimeouts.PACKET_LIFETIME);
      step(id, CmInput.REQ, mad, nowNanos);
    }
  }

  /** What no listener can serve in a REQ. */
  private static @Nullable RejectReason faultOf(CmReq req) {
    TransportService service = req.transportService();
    if (service != TransportService.RC && service != TransportService.UC && !req.isXrc()) {
      return RejectReason.INVALID_TRANSPORT_TYPE;
    }
    if (req.pathMtu() < 1 || req.pathMtu() > LARGEST_MTU_CODE) {
      return RejectReason.INVALID_MTU;
    }
    return null;
  }

  private void receive(CmPeer from, CmMad mad, CmRep rep, long nowNanos) {
    CmId id = addressed(from, rep.remoteCommId());
    if (id == null) {
      if (!ids.has(rep.remoteCommId())) {
        engine.refuse(from, mad, RejectReason.INVALID_COMM_ID, ImmutableBytes.EMPTY);
      }
      return;
    }
    if (id.state() == CmState.IDLE) {
      engine.refuse(from, mad, RejectReason.INVALID_COMM_ID, ImmutableBytes.EMPTY);
      return;
    }
    if (id.knowsRemoteId() && id.remoteCommId() != rep.localCommId()) {
      return;
    }
    CmId other = ids.connectedTo(from, rep.localCaGuid(), rep.qpn(id.isXrc()));
    boolean isFirst = !id.knowsRemoteId() && id.state().awaitsAnswer();
    if (isFirst && other != null && other != id) {
      step(id, CmInput.STALE_REP, mad, nowNanos);
      step(other, CmInput.STALE_REP, mad, nowNanos);
      return;
    }
    step(id, CmInput.REP, mad, nowNanos);
  }

  private void receive(CmPeer from, CmMad mad, CmMra mra, long nowNanos) {
    CmId id = addressed(from, mra.remoteCommId());
    if (mra.messageMraed() == AnsweredMessage.REQ) {
      step(id, CmInput.MRA_OF_REQ, mad, nowNanos);
    } else if (mra.messageMraed() == AnsweredMessage.REP) {
      step(known(from, mra.localCommId(), mra.remoteCommId()), CmInput.MRA_OF_REP, mad, nowNanos);
    }
  }

  /** Whose connection a REJ is about; null if there is none. */
  private @Nullable CmId rejected(CmPeer from, CmRej rej) {
    if (rej.reason() == RejectReason.TIMEOUT.code()) {
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
    boolean isFirstAnswer = rej.messageRejected() == AnsweredMessage.REQ && !id.knowsRemoteId();
    return namesPeer || isFirstAnswer ? id : null;
  }

  /** A DREQ for a connection that is not there is answered as if it had ended. */
  private void receive(CmPeer from, CmMad mad, CmDreq dreq, long nowNanos) {
    if (!ids.has(dreq.remoteCommId())) {
      engine.send(from, CmReplies.drep(mad, dreq));
      return;
    }
    CmId id = known(from, dreq.localCommId(), dreq.remoteCommId());
    if (id != null && id.localQpn() == dreq.remoteQpn()) {
      step(id, CmInput.DREQ, mad, nowNanos);
    }
  }

  private void receive(CmPeer from, CmMad mad, CmSidrReq req, long nowNanos) {
    CmId repeated = ids.request(from, req.requestId());
    if (repeated != null) {
      step(repeated, CmInput.SIDR_REQ, mad, nowNanos);
      return;
    }
    Admission admission = services.admit(from, req);
    if (admission.refusal() != null) {
      SidrStatus status =
          admission.refusal() == RejectReason.INVALID_SERVICE_ID
              ? SidrStatus.UNSUPPORTED
              : SidrStatus.REJECT;
      CmSidrRep rep = CmReplies.sidrRefusal(req.requestId(), req.serviceId(), status);
      engine.send(from, CmReplies.mad(mad.header().transactionId(), rep, 0));
    } else if (!admission.listener().isFull()) {
      CmId id = engine.create();
      id.setPeer(from);
      id.setListener(admission.listener());
      step(id, CmInput.SIDR_REQ, mad, nowNanos);
    }
  }
}
