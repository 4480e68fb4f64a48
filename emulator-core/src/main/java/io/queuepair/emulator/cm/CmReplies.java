// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.AnsweredMessage;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.SidrStatus;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Messages that the engine writes by itself. Pure functions. */
final class CmReplies {
  private CmReplies() {}

  private static CmMessage of(CmKind kind, CmId id, long transactionId) {
    return CmMessage.of(kind, id.localCommId(), id.remoteCommId())
        .set(CmField.MAD_TRANSACTION_ID, transactionId);
  }

  static CmMessage rtu(CmId id) {
    return of(CmKind.RTU, id, id.transactionId());
  }

  static CmMessage dreq(CmId id, long transactionId) {
    return of(CmKind.DREQ, id, transactionId).set(CmField.DREQ_REMOTE_QPN, id.remoteQpn());
  }

  static CmMessage drep(CmId id) {
    return of(CmKind.DREP, id, id.releaseTransaction());
  }

  /** DREP to a DREQ for a connection that does not exist any more. */
  static CmMessage drep(CmMessage dreq) {
    int ownId = dreq.remoteCommId();
    int peersId = dreq.localCommId();
    return CmMessage.of(CmKind.DREP, ownId, peersId)
        .set(CmField.MAD_TRANSACTION_ID, dreq.transactionId());
  }

  /** Message of a destroyed id that the peer may have missed: a DREQ, an answer, or null. */
  static @Nullable CmMessage last(CmId id, long nowNanos) {
    return switch (id.state()) {
      case DREQ_SENT -> id.latestMessage();
      case TIMEWAIT -> id.hasAnsweredDreq() ? drep(id) : null;
      case REJ_SENT, SIDR_REP_SENT ->
          nowNanos - id.firstSentNanos() < CmTimeouts.FIRST_RETRY_NANOS ? id.latestMessage() : null;
      default -> null;
    };
  }

  static CmMessage mra(CmId id, CmState state) {
    AnsweredMessage message =
        state == CmState.MRA_REQ_SENT ? AnsweredMessage.REQ : AnsweredMessage.REP;
    return of(CmKind.MRA, id, id.transactionId())
        .set(CmField.MRA_MESSAGE_MRAED, message.code())
        .set(CmField.MRA_SERVICE_TIMEOUT, CmTimeouts.MRA_SERVICE_TIMEOUT);
  }

  /** Nanoseconds that an MRA adds to the wait for an answer, with the time on the network. */
  static long extensionNanos(CmId id, CmMessage mra) {
    return CmTimeouts.mraNanos(mra.getInt(CmField.MRA_SERVICE_TIMEOUT), id.packetLifetime());
  }

  /** REJ from an id; the state determines which message is rejected. */
  static CmMessage rej(CmId id, CmState state, RejectReason reason, ImmutableBytes privateData) {
    AnsweredMessage rejectedMessage =
        switch (state) {
          case REQ_RCVD, MRA_REQ_SENT -> AnsweredMessage.REQ;
          case REP_RCVD, MRA_REP_SENT -> AnsweredMessage.REP;
          default -> AnsweredMessage.OTHER;
        };
    CmMessage rej = rej(of(CmKind.REJ, id, id.transactionId()), rejectedMessage, reason);
    if (state == CmState.REQ_RCVD) {
      rej.set(CmField.REJ_LOCAL_COMM_ID, 0);
    }
    return rej.setPrivateData(privateData);
  }

  private static CmMessage rej(
      CmMessage rej, AnsweredMessage rejectedMessage, RejectReason reason) {
    return rej.set(CmField.REJ_MESSAGE_REJECTED, rejectedMessage.code())
        .set(CmField.REJ_REASON, reason.code());
  }

  static CmMessage rejConsumer(CmId id, CmState state) {
    return rej(id, state, RejectReason.CONSUMER_DEFINED, ImmutableBytes.EMPTY);
  }

  /** REJ for reason Timeout, with the GUID: the peer may know no communication ID of this end. */
  static CmMessage rejTimeout(CmId id) {
    CmMessage rej = of(CmKind.REJ, id, id.transactionId());
    return rej(rej, AnsweredMessage.OTHER, RejectReason.TIMEOUT)
        .setRejectInfo(bytesOf(id.localCaGuid()));
  }

  private static ImmutableBytes bytesOf(long guid) {
    byte[] withSign =
        BigInteger.valueOf(guid).add(BigInteger.ONE.shiftLeft(Long.SIZE)).toByteArray();
    return ImmutableBytes.of(
        Arrays.copyOfRange(withSign, withSign.length - Long.BYTES, withSign.length));
  }

  /** GUID in a REJ for reason Timeout; 0 if there is none. */
  static long guidIn(CmMessage rej) {
    ImmutableBytes information = rej.rejectInfo();
    return information.length() < Long.BYTES
        ? 0
        : new BigInteger(1, information.first(Long.BYTES).toArray()).longValue();
  }

  /**
   * REJ of a REQ or a REP without an id here. For a REP it names both communication IDs, by which
   * the sender finds its own id.
   *
   * @param information additional reject information
   */
  static CmMessage refusal(CmMessage message, RejectReason reason, ImmutableBytes information) {
    boolean isReply = message.kind() == CmKind.REP;
    int ownId = isReply ? message.remoteCommId() : 0;
    int peersId = message.localCommId();
    CmMessage rej =
        CmMessage.of(CmKind.REJ, ownId, peersId)
            .set(CmField.MAD_TRANSACTION_ID, message.transactionId())
            .setRejectInfo(information);
    return rej(rej, isReply ? AnsweredMessage.REP : AnsweredMessage.REQ, reason);
  }

  static CmMessage sidrReject(CmId id) {
    return sidrRefusal(id.remoteCommId(), 0, SidrStatus.REJECT)
        .set(CmField.MAD_TRANSACTION_ID, id.transactionId());
  }

  static CmMessage sidrRefusal(int requestId, long serviceId, SidrStatus status) {
    return CmMessage.of(CmKind.SIDR_REP)
        .set(CmField.SIDR_REP_REQUEST_ID, requestId)
        .set(CmField.SIDR_REP_STATUS, status.code())
        .set(CmField.SIDR_REP_SERVICE_ID, serviceId);
  }
}
