package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.NakCode;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WcStatus;

/**
 * What the responder decides about one request packet, and what follows from it: the NAK, the
 * status of the receive that was in use, the event if none was. All but the first three are fatal
 * to the queue pair. (InfiniBand specification, responder error behaviour.)
 */
enum Verdict {
  /** The packet is executed. */
  ACCEPT(null, null, null),
  /** A packet before this one is missing. */
  PSN_SEQUENCE_GAP(NakCode.PSN_SEQUENCE_ERROR, null, null),
  /** The packet needs a receive and none is posted: an RNR NAK, the packet may come again. */
  RECEIVER_NOT_READY(null, null, null),
  /** A message starts inside another, or goes on without having started. */
  BAD_OPCODE_SEQUENCE(NakCode.INVALID_REQUEST, WcStatus.REM_INV_REQ_ERR, EventType.QP_REQ_ERR),
  /** The queue pair was not given the access right for the operation, or the device lacks it. */
  OPERATION_NOT_ENABLED(NakCode.INVALID_REQUEST, WcStatus.REM_INV_REQ_ERR, EventType.QP_REQ_ERR),
  /** More READs are outstanding than MAX_DEST_RD_ATOMIC. */
  TOO_MANY_READS(NakCode.INVALID_REQUEST, WcStatus.REM_INV_REQ_ERR, EventType.QP_REQ_ERR),
  /** The payload does not fit opcode, path MTU, or the length announced. */
  BAD_LENGTH(NakCode.INVALID_REQUEST, WcStatus.REM_INV_REQ_ERR, EventType.QP_REQ_ERR),
  /**
   * R_Key, protection domain, right or range of the remote memory is wrong. Only a write with
   * immediate has a receive in use then; Linux Soft-RoCE completes it with REM_ACCESS_ERR, a status
   * that belongs to requesters.
   */
  REMOTE_ACCESS(NakCode.REMOTE_ACCESS_ERROR, WcStatus.LOC_ACCESS_ERR, EventType.QP_ACCESS_ERR),
  /** The message is longer than the receive that was posted. */
  MESSAGE_TOO_LONG(NakCode.INVALID_REQUEST, WcStatus.LOC_LEN_ERR, EventType.QP_REQ_ERR),
  /** The memory of the posted receive may not be written. */
  RECEIVE_PROTECTION(NakCode.REMOTE_OPERATIONAL_ERROR, WcStatus.LOC_PROT_ERR, EventType.QP_FATAL);

  private final NakCode nak;
  private final WcStatus receiveStatus;
  private final EventType event;

  Verdict(NakCode nak, WcStatus receiveStatus, EventType event) {
    this.nak = nak;
    this.receiveStatus = receiveStatus;
    this.event = event;
  }

  /** What the requester is told; null for ACCEPT, and for RNR, which has a NAK of its own. */
  NakCode nak() {
    return nak;
  }

  /** How the receive in use completes. */
  WcStatus receiveStatus() {
    return receiveStatus;
  }

  /** What the application is told if no receive was in use. */
  EventType event() {
    return event;
  }
}
