package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.WcStatus;

/**
 * Takes what the responder of the peer answers: retires sends that are acknowledged, places READ
 * data, tries again after a loss, and finds the status with which a send fails.
 */
final class Completer {
  private final QpContext qp;
  private final ScatterGather memory;
  private final SendWindow window;
  private final RetryState retry;
  private final Completions completions;

  /** The oldest PSN not acknowledged when progress was last noted. */
  private int notedPsn;

  /** Status of the oldest send, if that has just failed the connection; otherwise null. */
  private WcStatus failure;

  Completer(
      QpContext qp,
      ScatterGather memory,
      SendWindow window,
      RetryState retry,
      Completions completions) {
    this.qp = qp;
    this.memory = memory;
    this.window = window;
    this.retry = retry;
    this.completions = completions;
  }

  void start() {
    stop();
    notedPsn = window.unackedPsn();
  }

  /** Forgets why the connection failed. */
  void stop() {
    failure = null;
  }

  /** Why the oldest send failed, which the connection does not survive; or null. */
  WcStatus failure() {
    SendWqe oldest = qp.sendQueue().peek();
    return failure == null && oldest != null ? oldest.failure() : failure;
  }

  /**
   * Takes a response packet.
   *
   * @return null, or why it was dropped
   */
  DropReason receive(Packet packet, long nowNanos) {
    if (!window.isInFlight(packet.psn())) {
      return DropReason.STALE_RESPONSE;
    }
    DropReason dropped =
        switch (packet.opcode().operation()) {
          case ACKNOWLEDGE -> acknowledge(packet.psn(), packet.aeth(), nowNanos);
          case RDMA_READ_RESPONSE -> readResponse(packet);
          default -> badResponse();
        };
    noteProgress(nowNanos);
    return dropped;
  }

  private void noteProgress(long nowNanos) {
    if (window.unackedPsn() != notedPsn) {
      notedPsn = window.unackedPsn();
      retry.progressed(window.isIdle(), nowNanos);
    }
  }

  private DropReason acknowledge(int psn, Aeth aeth, long nowNanos) {
    if (aeth.isAck()) {
      retireThrough(psn);
      return null;
    }
    if (!aeth.isRnrNak() && !aeth.isNak()) {
      return DropReason.MALFORMED;
    }
    // Whatever precedes a NAKed packet has arrived.
    if (psn != window.unackedPsn() && !retireThrough(Psn.add(psn, -1))) {
      return null;
    }
    noteProgress(nowNanos);
    if (aeth.isRnrNak()) {
      receiverNotReady(aeth.rnrTimerCode(), nowNanos);
    } else if (aeth.nakCode() == NakCode.PSN_SEQUENCE_ERROR) {
      retryLoss();
    } else {
      failure = statusOf(aeth.nakCode());
    }
    return null;
  }

  /** The status of each fatal NAK; an unknown one counts as operational error. */
  private static WcStatus statusOf(NakCode code) {
    if (code == null) {
      return WcStatus.REM_OP_ERR;
    }
    return switch (code) {
      case INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
      case REMOTE_ACCESS_ERROR -> WcStatus.REM_ACCESS_ERR;
      case REMOTE_OPERATIONAL_ERROR -> WcStatus.REM_OP_ERR;
      case INVALID_RD_REQUEST -> WcStatus.REM_INV_RD_REQ_ERR;
      case PSN_SEQUENCE_ERROR -> throw new AssertionError("a sequence NAK is not fatal");
    };
  }

  /**
   * Retires everything up to a PSN that is acknowledged.
   *
   * @return false if a READ is in the way, whose response must have been lost
   */
  private boolean retireThrough(int psn) {
    for (SendWqe oldest = window.oldestStarted();
        oldest != null && !Psn.isBefore(psn, oldest.firstPsn());
        oldest = window.oldestStarted()) {
      if (oldest.isRead()) {
        retryLoss();
        return false;
      }
      if (Psn.isBefore(psn, oldest.lastPsn())) {
        window.acknowledge(psn);
        return true;
      }
      completeOldest();
    }
    return true;
  }

  private void completeOldest() {
    completions.sent(window.retire());
  }

  private DropReason readResponse(Packet packet) {
    if (!retireWritesBefore(packet.psn())) {
      return DropReason.OUT_OF_ORDER;
    }
    SendWqe read = window.oldestStarted();
    if (!read.isRead()) {
      return badResponse();
    }
    if (packet.psn() != window.unackedPsn()) {
      retryLoss();
      return DropReason.OUT_OF_ORDER;
    }
    int mtu = qp.attributes().mtuBytes();
    long offset = (long) Psn.distance(read.firstPsn(), packet.psn()) * mtu;
    long missing = read.lengthBytes() - offset;
    if (!isExpectedResponse(packet, read, offset)) {
      return badResponse();
    }
    MemoryRange range = new MemoryRange(offset, packet.payload().length());
    if (memory.faultOf(read.sges(), qp.domain(), range, AccessFlag.LOCAL_WRITE) != null) {
      failure = WcStatus.LOC_PROT_ERR;
      return null;
    }
    memory.scatter(read.sges(), offset, packet.payload());
    if (missing <= mtu) {
      completeOldest();
    } else {
      window.acknowledge(packet.psn());
    }
    return null;
  }

  /** A READ response acknowledges the sends before the READ; an unanswered READ is a loss. */
  private boolean retireWritesBefore(int psn) {
    for (SendWqe oldest = window.oldestStarted();
        Psn.isBefore(oldest.lastPsn(), psn);
        oldest = window.oldestStarted()) {
      if (oldest.isRead()) {
        retryLoss();
        return false;
      }
      completeOldest();
    }
    return true;
  }

  /** Opcode and length must be those of just this packet of the response. */
  private boolean isExpectedResponse(Packet packet, SendWqe read, long offset) {
    Opcode opcode = packet.opcode();
    int mtu = qp.attributes().mtuBytes();
    long missing = read.lengthBytes() - offset;
    // What was asked for again may also go on where the first answer broke off.
    boolean mayStart = offset == 0 || packet.psn() == read.requestPsn();
    boolean isInSequence = opcode.position().startsMessage() ? mayStart : offset > 0;
    boolean isLast = missing <= mtu;
    return isInSequence
        && opcode.position().endsMessage() == isLast
        && packet.payload().length() == Math.min(missing, mtu)
        && (opcode.position() == Position.MIDDLE || packet.aeth().isAck());
  }

  private DropReason badResponse() {
    failure = WcStatus.BAD_RESP_ERR;
    return null;
  }

  private void receiverNotReady(int timerCode, long nowNanos) {
    if (retry.waitsForReceiver()) {
      return;
    }
    if (retry.takeRnrRetry(timerCode, nowNanos)) {
      window.rewind();
    } else {
      failure = WcStatus.RNR_RETRY_EXC_ERR;
    }
  }

  /** A packet or its response was lost: goes back once for each loss. */
  private void retryLoss() {
    if (retry.isNewLoss()) {
      retryNow();
    }
  }

  private void retryNow() {
    if (retry.takeRetry()) {
      window.rewind();
    } else {
      failure = WcStatus.RETRY_EXC_ERR;
    }
  }

  /** Acts on deadlines that have passed. */
  void expire(long nowNanos) {
    retry.expireReceiverWait(nowNanos);
    if (retry.isAckOverdue(nowNanos)) {
      retryNow();
    }
  }
}
