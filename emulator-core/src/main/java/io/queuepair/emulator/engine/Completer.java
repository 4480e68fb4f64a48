// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Opcode.Position;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Handles responses of the peer: retires acknowledged sends, places READ data, retries after a
 * loss, and finds the status of a failed send.
 */
final class Completer {
  private final PathMigration migration;
  private final QpContext qp;
  private final ScatterGather scatterGather;
  private final SendWindow window;
  private final RetryTimers retry;
  private final AckRequests acks;
  private final CompletionWriter completions;
  private final LossDiagnosis losses;

  /** Oldest unacknowledged PSN when progress was last noted. */
  private int notedPsn;

  /** Whether some response bytes go to unmapped memory of another process. */
  private boolean isUnwritten;

  private final Staging.Writer writer = number -> isUnwritten = true;

  /** Error of the oldest send that fails the connection, or null. */
  private @Nullable WorkError failure;

  Completer(
      PathMigration migration,
      ScatterGather scatterGather,
      SendWindow window,
      RetryTimers retry,
      AckRequests acks,
      CompletionWriter completions,
      LossDiagnosis losses) {
    this.migration = migration;
    qp = migration.qp();
    this.scatterGather = scatterGather;
    this.window = window;
    this.retry = retry;
    this.acks = acks;
    this.completions = completions;
    this.losses = losses;
  }

  void start() {
    stop();
    notedPsn = window.unackedPsn();
    losses.start();
  }

  void stop() {
    failure = null;
    isUnwritten = false;
  }

  @Nullable WorkError failure() {
    return failure;
  }

  /**
   * Handles a response packet.
   *
   * @return null, or why it was dropped
   */
  @Nullable DropReason receiveResponse(Packet packet, long nowNanos) {
    if (!window.isInFlight(packet.psn())) {
      takeCreditsAgain(packet);
      if (!window.isIdle()) { // While idle, no evidence about later losses.
        losses.unexpected(packet);
      }
      return DropReason.STALE_RESPONSE;
    }
    assert packet.opcode().isResponse() : packet.opcode();
    DropReason dropped =
        packet.opcode().operation() == Operation.ACKNOWLEDGE
            ? acknowledge(packet, nowNanos)
            : response(packet);
    if (dropped == null) {
      takeCredits(packet);
    }
    noteProgress(nowNanos);
    return dropped;
  }

  private void takeCredits(Packet packet) {
    if (packet.opcode().hasAeth()) {
      Aeth aeth = packet.aeth();
      if (aeth.isAck()) {
        window.grantCredits(aeth.creditCode());
      }
    }
  }

  /** Takes the credits of a repeat of the last ACK, sent after receives were posted. */
  private void takeCreditsAgain(Packet packet) {
    if (Psn.add(packet.psn(), 1) == window.unackedPsn()) {
      takeCredits(packet);
    }
  }

  private void noteProgress(long nowNanos) {
    if (window.unackedPsn() != notedPsn) {
      notedPsn = window.unackedPsn();
      losses.progressed();
      retry.progressed(acks.isTimed(), nowNanos);
      acks.progressed(nowNanos);
    }
  }

  private @Nullable DropReason acknowledge(Packet packet, long nowNanos) {
    // Rule requester.acknowledge: An ACK completes every send up to its PSN.
    // Source: rxe_comp.c check_ack, complete_ack
    // Test: CompleterTest.completesEverythingUpToTheAcknowledgedPsn
    Aeth aeth = packet.aeth();
    if (aeth.isAck()) {
      retireThrough(packet.psn());
      return null;
    }
    if (!aeth.isRnrNak() && !aeth.isNak()) {
      return DropReason.MALFORMED;
    }
    // All packets before a NAKed one have arrived.
    boolean isOldest = packet.psn() == window.unackedPsn();
    if (!isOldest && !retireThrough(Psn.add(packet.psn(), -1))) {
      return null;
    }
    noteProgress(nowNanos);
    losses.refused();
    if (aeth.isRnrNak()) {
      completions.count(HwCounter.RCVD_RNR_ERR);
      receiverNotReady(packet, nowNanos);
    } else if (aeth.nakCode() == NakCode.PSN_SEQUENCE_ERROR) {
      completions.count(HwCounter.RCVD_SEQ_ERR);
      retryLoss("the peer reports packets missing from PSN " + packet.psn() + " on");
    } else {
      failure = NakStatus.of(packet, losses.reasonOf(packet));
    }
    return null;
  }

  /**
   * Retires all sends up to an acknowledged PSN.
   *
   * @return false at a READ or atomic without a response, which must have been lost
   */
  private boolean retireThrough(int psn) {
    for (SendWqe oldestWqe = window.oldestStarted();
        oldestWqe != null && !Psn.isBefore(psn, oldestWqe.firstPsn());
        oldestWqe = window.oldestStarted()) {
      if (oldestWqe.operation().needsResponse()) {
        retryLostResponse(oldestWqe);
        return false;
      }
      if (Psn.isBefore(psn, oldestWqe.lastPsn())) {
        window.acknowledge(psn);
        return true;
      }
      completeOldest();
    }
    return true;
  }

  private void retryLostResponse(SendWqe wqe) {
    if (retry.isNewLoss()) {
      retryNow("the response to the " + wqe.opcode() + " of PSN " + wqe.firstPsn() + " was lost");
    }
  }

  private void completeOldest() {
    completions.sent(window.retire());
    completeLocal();
  }

  /** Completes the oldest sends as long as they are executed local operations. */
  void completeLocal() {
    for (SendWqe oldestWqe = window.oldestStarted();
        oldestWqe != null && oldestWqe.operation().isLocal();
        oldestWqe = window.oldestStarted()) {
      completions.sent(window.retire());
    }
  }

  private @Nullable DropReason response(Packet packet) {
    if (!retireSendsBefore(packet.psn())) {
      return DropReason.OUT_OF_ORDER;
    }
    SendWqe oldestWqe = window.oldestStarted();
    SendOperation operation = oldestWqe.operation();
    if (!operation.needsResponse()) {
      return badResponse(oldestWqe, packet);
    }
    if (!operation.isFetch()) {
      return emptyResponse(oldestWqe, packet);
    }
    return operation.isAtomic() ? atomicAnswer(oldestWqe, packet) : readResponse(oldestWqe, packet);
  }

  private @Nullable DropReason emptyResponse(SendWqe oldestWqe, Packet packet) {
    boolean isEmpty =
        packet.opcode().operation() == Operation.RDMA_READ_RESPONSE
            && packet.opcode().position() == Position.ONLY
            && packet.payloadBytes() == 0
            && packet.aeth().isAck();
    if (!isEmpty) {
      return badResponse(oldestWqe, packet);
    }
    completeOldest();
    return null;
  }

  private @Nullable DropReason atomicAnswer(SendWqe atomicWqe, Packet packet) {
    if (packet.opcode().operation() != Operation.ATOMIC_ACKNOWLEDGE || !packet.aeth().isAck()) {
      return badResponse(atomicWqe, packet);
    }
    if (mayPlace(atomicWqe, 0, atomicWqe.lengthBytes())) {
      scatterGather.staging().begin(writer, 0, false);
      scatterGather.scatterNumber(atomicWqe.sges(), packet.atomicAckEth().original());
      completeWritten(atomicWqe);
    }
    return null;
  }

  /** Writes the gathered response; completes the send, or fails it if memory is not mapped. */
  private void completeWritten(SendWqe oldestWqe) {
    scatterGather.staging().flush();
    if (isUnwritten) {
      String where = "local memory for the response to the " + oldestWqe.opcode();
      failure = new WorkError(WcStatus.LOC_PROT_ERR, where + ": it is not mapped in its process");
    } else {
      completeOldest();
    }
  }

  private @Nullable DropReason readResponse(SendWqe readWqe, Packet packet) {
    // Rule requester.read-response: READ data is placed in PSN order, and only where it may be
    // written locally.
    // Source: rxe_comp.c do_read
    // Test: CompleterTest.placesReadDataInOrder
    if (packet.psn() != window.unackedPsn()) {
      retryLostResponse(readWqe);
      return DropReason.OUT_OF_ORDER;
    }
    int mtu = qp.attributes().mtuBytes();
    long offset = (long) Psn.distance(readWqe.firstPsn(), packet.psn()) * mtu;
    long missing = readWqe.lengthBytes() - offset;
    if (!isExpectedResponse(packet, readWqe, offset)) {
      return badResponse(readWqe, packet);
    }
    if (mayPlace(readWqe, offset, packet.payloadBytes())) {
      scatterGather.staging().begin(writer, 0, false);
      scatterGather.scatter(readWqe.sges(), offset, packet.payload());
      if (missing <= mtu) {
        completeWritten(readWqe);
      } else {
        window.acknowledge(packet.psn());
      }
    }
    return null;
  }

  /** Whether the response may be written to local memory; if not, the send fails. */
  private boolean mayPlace(SendWqe wqe, long offset, long bytes) {
    MemoryFault fault =
        scatterGather.faultOf(wqe.sges(), qp.domain(), offset, bytes, AccessFlag.LOCAL_WRITE);
    if (fault != null) {
      String where = "local memory for the response to the " + wqe.opcode() + ": ";
      String why =
          scatterGather.reasonOf(wqe.sges(), qp.domain(), offset, bytes, AccessFlag.LOCAL_WRITE);
      failure = new WorkError(WcStatus.LOC_PROT_ERR, where + why);
    }
    return fault == null;
  }

  /** Retires sends before that of a response; a READ or atomic among them lost its response. */
  private boolean retireSendsBefore(int psn) {
    for (SendWqe oldestWqe = window.oldestStarted();
        Psn.isBefore(oldestWqe.lastPsn(), psn);
        oldestWqe = window.oldestStarted()) {
      if (oldestWqe.operation().needsResponse()) {
        retryLostResponse(oldestWqe);
        return false;
      }
      completeOldest();
    }
    return true;
  }

  /** Whether opcode, position and length fit this packet of the READ response. */
  private boolean isExpectedResponse(Packet packet, SendWqe readWqe, long offset) {
    Opcode opcode = packet.opcode();
    int mtu = qp.attributes().mtuBytes();
    long missing = readWqe.lengthBytes() - offset;
    // A repeated READ request asks from its first missing PSN on; its response may start there.
    boolean mayStart = offset == 0 || packet.psn() == readWqe.requestPsn();
    if (opcode.operation() != Operation.RDMA_READ_RESPONSE) {
      return false;
    }
    boolean isInSequence = opcode.position().startsMessage() ? mayStart : offset > 0;
    boolean isInPlace =
        opcode.position().endsMessage() ? readWqe.mayEndAt(packet.psn()) : missing > mtu;
    return isInSequence
        && isInPlace
        && packet.payloadBytes() == Math.min(missing, mtu)
        && (opcode.position() == Position.MIDDLE || packet.aeth().isAck());
  }

  private @Nullable DropReason badResponse(SendWqe wqe, Packet packet) {
    failure =
        new WorkError(
            WcStatus.BAD_RESP_ERR,
            packet.opcode()
                + ", PSN "
                + packet.psn()
                + ", with "
                + packet.payloadBytes()
                + " bytes does not answer the "
                + wqe.opcode()
                + " of PSN "
                + wqe.firstPsn());
    return null;
  }

  private void receiverNotReady(Packet nak, long nowNanos) {
    // Rule requester.rnr: After an RNR NAK all that follows the refused PSN is sent again.
    // Source: IBTA vol. 1, 9.7.5.2.8; rxe_comp.c rxe_completer
    // Test: ReceiverWaitTest.sendsEverythingFromTheRefusedPsnAgain
    if (retry.waitsForReceiver()) {
      return;
    }
    if (retry.takeRnrRetry(nak.aeth().rnrTimerCode(), nowNanos)) {
      window.rewind();
    } else {
      completions.count(HwCounter.RETRY_RNR_EXCEEDED_ERR);
      failure =
          new WorkError(
              WcStatus.RNR_RETRY_EXC_ERR,
              "the peer had no receive posted for PSN "
                  + nak.psn()
                  + afterRetries(qp.attributes().rnrRetry(), "RNR_RETRY")
                  + losses.sentences());
    }
  }

  private static String afterRetries(int retries, String attribute) {
    return retries == 0
        ? ", and " + attribute + " is 0"
        : ", also after " + retries + (retries == 1 ? " retry (" : " retries (") + attribute + ")";
  }

  /** Retries from the oldest unacknowledged PSN, once per loss of a packet or its response. */
  private void retryLoss(String loss) {
    // Rule requester.retry: A loss takes a retry and goes back to the oldest PSN that is not
    // acknowledged.
    // Source: rxe_req.c req_retry
    // Test: RetryTest.sendsEverythingUnacknowledgedAgain
    if (retry.isNewLoss()) {
      retryNow(loss);
    }
  }

  private void retryNow(String loss) {
    if (retry.takeRetry()) {
      completions.count(HwCounter.COMPLETER_RETRY_ERR);
      window.rewind();
    } else if (migration.migrateIfArmed()) {
      retry.start();
      window.rewind();
    } else {
      completions.count(HwCounter.RETRY_EXCEEDED_ERR);
      failure =
          new WorkError(
              WcStatus.RETRY_EXC_ERR,
              loss + afterRetries(qp.attributes().retryCnt(), "RETRY_CNT") + losses.sentences());
    }
  }

  void expire(long nowNanos) {
    retry.expireReceiverWait(nowNanos);
    if (retry.isAckOverdue(nowNanos)) {
      retryNow(
          "no answer to PSN "
              + window.unackedPsn()
              + " within the ACK timeout (TIMEOUT "
              + qp.attributes().timeout()
              + ")");
    }
  }
}
