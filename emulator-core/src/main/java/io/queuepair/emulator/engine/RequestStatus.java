// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.NakCode;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Decision of the responder about one request packet, and its effects: the NAK, the status of the
 * receive in use, or the event if none is in use. All but the first three are fatal to the queue
 * pair. (InfiniBand specification, responder error behaviour.)
 */
public enum RequestStatus {
  /** The packet is executed. */
  ACCEPT("accepted", null, null, null),
  PSN_SEQUENCE_GAP("a packet before this one is missing", NakCode.PSN_SEQUENCE_ERROR, null, null),
  /** Answered with an RNR NAK; the requester may send the packet again. */
  RECEIVER_NOT_READY("the packet needs a receive and none is posted", null, null, null),
  BAD_OPCODE_SEQUENCE(
      "a message starts inside another, or continues without having started",
      NakCode.INVALID_REQUEST,
      WcStatus.REM_INV_REQ_ERR,
      EventType.QP_REQ_ERR),
  OPERATION_NOT_ENABLED(
      "the queue pair was not given the access right for the operation",
      NakCode.INVALID_REQUEST,
      WcStatus.REM_INV_REQ_ERR,
      EventType.QP_REQ_ERR),
  TOO_MANY_OUTSTANDING(
      "more READs and atomics are outstanding than MAX_DEST_RD_ATOMIC",
      NakCode.INVALID_REQUEST,
      WcStatus.REM_INV_REQ_ERR,
      EventType.QP_REQ_ERR),
  BAD_LENGTH(
      "the payload does not fit opcode, path MTU, or the length announced",
      NakCode.INVALID_REQUEST,
      WcStatus.REM_INV_REQ_ERR,
      EventType.QP_REQ_ERR),
  MISALIGNED_ATOMIC(
      "the address of an atomic is not a multiple of 8",
      NakCode.INVALID_REQUEST,
      WcStatus.REM_INV_REQ_ERR,
      EventType.QP_REQ_ERR),
  NO_SUCH_SRQ(
      "no shared receive queue of the XRC domain has that number",
      NakCode.INVALID_REQUEST,
      WcStatus.REM_INV_REQ_ERR,
      EventType.QP_REQ_ERR),
  /** A receive is in use for WRITE with immediate only; Linux completes it as REM_ACCESS_ERR. */
  REMOTE_ACCESS(
      "access to remote memory",
      NakCode.REMOTE_ACCESS_ERROR,
      WcStatus.LOC_ACCESS_ERR,
      EventType.QP_ACCESS_ERR),
  CANNOT_INVALIDATE(
      "invalidation of a key",
      NakCode.REMOTE_ACCESS_ERROR,
      WcStatus.LOC_ACCESS_ERR,
      EventType.QP_ACCESS_ERR),
  MESSAGE_TOO_LONG(
      "the message is longer than the receive that was posted",
      NakCode.INVALID_REQUEST,
      WcStatus.LOC_LEN_ERR,
      EventType.QP_REQ_ERR),
  RECEIVE_PROTECTION(
      "memory of the posted receive",
      NakCode.REMOTE_OPERATIONAL_ERROR,
      WcStatus.LOC_PROT_ERR,
      EventType.QP_FATAL);

  private final String text;
  private final @Nullable NakCode nak;
  private final @Nullable WcStatus receiveStatus;
  private final @Nullable EventType event;

  RequestStatus(
      String text,
      @Nullable NakCode nak,
      @Nullable WcStatus receiveStatus,
      @Nullable EventType event) {
    this.text = text;
    this.nak = nak;
    this.receiveStatus = receiveStatus;
    this.event = event;
  }

  public String text() {
    return text;
  }

  /** NAK code for the requester; null for ACCEPT and RECEIVER_NOT_READY (RNR NAK). */
  public @Nullable NakCode nak() {
    return nak;
  }

  /** Completion status of the receive in use; null if the decision is not fatal. */
  public @Nullable WcStatus receiveStatus() {
    return receiveStatus;
  }

  /** Event for the application if no receive was in use; null if the decision is not fatal. */
  public @Nullable EventType event() {
    return event;
  }
}
