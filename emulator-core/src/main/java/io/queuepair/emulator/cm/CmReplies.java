// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.AnsweredMessage;
import io.queuepair.emulator.wire.CmDrep;
import io.queuepair.emulator.wire.CmDreq;
import io.queuepair.emulator.wire.CmMad;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.CmMra;
import io.queuepair.emulator.wire.CmRej;
import io.queuepair.emulator.wire.CmRep;
import io.queuepair.emulator.wire.CmReq;
import io.queuepair.emulator.wire.CmSidrRep;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.MadHeader;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.SidrStatus;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The messages that the engine writes by itself. Pure functions. */
final class CmReplies {
  private CmReplies() {}

  static CmMad mad(long transactionId, CmMessage message, int attributeModifier) {
    return new CmMad(MadHeader.of(message.kind(), transactionId, attributeModifier), message);
  }

  static CmMad dreq(CmId id, long transactionId) {
    return mad(
        transactionId,
        new CmDreq(id.localCommId(), id.remoteCommId(), id.remoteQpn(), ImmutableBytes.EMPTY),
        0);
  }

  static CmMad drep(CmId id, long transactionId) {
    return mad(
        transactionId, new CmDrep(id.localCommId(), id.remoteCommId(), ImmutableBytes.EMPTY), 0);
  }

  /** Answers a DREQ for a connection that is not there any more, as if it were. */
  static CmMad drep(CmMad arrived, CmDreq dreq) {
    int ownId = dreq.remoteCommId();
    int peersId = dreq.localCommId();
    CmDrep drep = new CmDrep(ownId, peersId, ImmutableBytes.EMPTY);
    return mad(arrived.header().transactionId(), drep, 0);
  }

  /**
   * What a peer may still miss of an end that was destroyed: a request to disconnect, or an answer
   * that it may not have got; null if there is nothing.
   */
  static @Nullable CmMad last(CmId id, long nowNanos) {
    return switch (id.state()) {
      case DREQ_SENT -> id.latest();
      case TIMEWAIT -> id.hasAnsweredDreq() ? drep(id, id.releaseTransaction()) : null;
      case REJ_SENT, SIDR_REP_SENT ->
          nowNanos - id.firstSentNanos() < CmTimeouts.FIRST_RETRY_NANOS ? id.latest() : null;
      default -> null;
    };
  }

  static CmMad mra(CmId id, CmState state) {
    AnsweredMessage of = state == CmState.MRA_REQ_SENT ? AnsweredMessage.REQ : AnsweredMessage.REP;
    CmMra mra =
        new CmMra(
            id.localCommId(),
            id.remoteCommId(),
            of,
            CmTimeouts.MRA_SERVICE_TIMEOUT,
            ImmutableBytes.EMPTY);
    return mad(id.transactionId(), mra, 0);
  }

  /** How much longer an MRA says that an answer may take, and its way. */
  static long extensionNanos(CmId id, CmMad arrived) {
    CmMra mra = (CmMra) arrived.message();
    return CmTimeouts.mraNanos(mra.serviceTimeout(), id.packetLifetime());
  }

  static CmMad rej(CmId id, RejectReason reason, ImmutableBytes privateBytes) {
    return rej(id, id.state(), reason, privateBytes);
  }

  static CmMad rejConsumer(CmId id, CmState state) {
    return rej(id, state, RejectReason.CONSUMER_DEFINED, ImmutableBytes.EMPTY);
  }

  private static CmMad rej(
      CmId id, CmState state, RejectReason reason, ImmutableBytes privateBytes) {
    AnsweredMessage rejected =
        switch (state) {
          case REQ_RCVD, MRA_REQ_SENT -> AnsweredMessage.REQ;
          case REP_RCVD, MRA_REP_SENT -> AnsweredMessage.REP;
          default -> AnsweredMessage.OTHER;
        };
    int localId = state == CmState.REQ_RCVD ? 0 : id.localCommId();
    CmRej rej =
        new CmRej(
            localId,
            id.remoteCommId(),
            rejected,
            reason.code(),
            ImmutableBytes.EMPTY,
            privateBytes);
    return mad(id.transactionId(), rej, 0);
  }

  /** Says that no answer came in time; the peer may know no other name of it than the GUID. */
  static CmMad rejTimeout(CmId id) {
    CmRej rej =
        new CmRej(
            id.localCommId(),
            id.remoteCommId(),
            AnsweredMessage.OTHER,
            RejectReason.TIMEOUT.code(),
            bytesOf(id.localCaGuid()),
            ImmutableBytes.EMPTY);
    return mad(id.transactionId(), rej, 0);
  }

  private static ImmutableBytes bytesOf(long guid) {
    byte[] withSign =
        BigInteger.valueOf(guid).add(BigInteger.ONE.shiftLeft(Long.SIZE)).toByteArray();
    return ImmutableBytes.of(
        Arrays.copyOfRange(withSign, withSign.length - Long.BYTES, withSign.length));
  }

  /** The GUID in a REJ for timeout; 0 if there is none. */
  static long guidIn(CmRej rej) {
    ImmutableBytes information = rej.additionalInformation();
    return information.length() < Long.BYTES
        ? 0
        : new BigInteger(1, information.first(Long.BYTES).toArray()).longValue();
  }

  /**
   * Rejects a REQ or a REP for which there is no end. The sender of a REP finds its own by both
   * ids.
   */
  static CmMad refusal(CmMad arrived, RejectReason reason, ImmutableBytes information) {
    boolean isReply = arrived.message() instanceof CmRep;
    AnsweredMessage answered = isReply ? AnsweredMessage.REP : AnsweredMessage.REQ;
    int localId = isReply ? ((CmRep) arrived.message()).remoteCommId() : 0;
    CmRej rej =
        new CmRej(
            localId,
            localIdIn(arrived),
            answered,
            reason.code(),
            information,
            ImmutableBytes.EMPTY);
    return mad(arrived.header().transactionId(), rej, 0);
  }

  /** The number that the sender of a REQ or REP gives its end. */
  static int localIdIn(CmMad arrived) {
    return arrived.message() instanceof CmReq req
        ? req.localCommId()
        : ((CmRep) arrived.message()).localCommId();
  }

  static CmMad sidrReject(CmId id) {
    return mad(id.transactionId(), sidrRefusal(id.remoteCommId(), 0, SidrStatus.REJECT), 0);
  }

  static CmSidrRep sidrRefusal(int requestId, long serviceId, SidrStatus status) {
    return new CmSidrRep(
        requestId, status.code(), 0, 0, serviceId, 0, ImmutableBytes.EMPTY, ImmutableBytes.EMPTY);
  }
}
