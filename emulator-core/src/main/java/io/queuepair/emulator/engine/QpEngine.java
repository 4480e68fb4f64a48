// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.TransmitUnit;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** State machine of one queue pair; drives its requester and responder. */
public final class QpEngine {
  /** Responses in a row before as many requests may leave. */
  private static final int HALF_TURN_PACKETS = 32;

  private final Engine engine;
  private final QpContext qp;
  private final PathMigration migration;
  private final CompletionWriter completions;
  private final Requester requester;
  private final Responder responder;
  private final TimerHeap.Deadline deadline = new TimerHeap.Deadline(this);
  private final TransmitQueue.RoundQuota quota = new TransmitQueue.RoundQuota();

  /** Whether COMM_EST was raised since RTR was entered. */
  private boolean isEstablished;

  /** Whether the next acknowledgement has just let one request go first. */
  private boolean requestBeforeAck;

  /** Responses since the last request; if negative, requests that may leave before one. */
  private int answersInRow;

  /** Whether sends are held until the next post ({@link Quirk#SENDS_HELD_AFTER_SQD}). */
  private boolean sendsAreHeld;

  /** Explanation of flushed requests, in SQE (sends only) and ERR. */
  private @Nullable String flushReason;

  /** Short reason of ERR. */
  private @Nullable String failure;

  QpEngine(
      Engine engine,
      PathMigration migration,
      CompletionWriter completions,
      Requester requester,
      Responder responder) {
    this.engine = engine;
    this.migration = migration;
    qp = migration.qp();
    this.completions = completions;
    this.requester = requester;
    this.responder = responder;
  }

  public QpContext qp() {
    return qp;
  }

  TimerHeap.Deadline deadline() {
    return deadline;
  }

  TransmitQueue.RoundQuota quota() {
    return quota;
  }

  public int expectedPsn() {
    return responder.expectedPsn();
  }

  public int nextPsn() {
    return qp.type() == QpType.RAW_PACKET ? 0 : requester.nextPsn();
  }

  /** Time of the next timer of the requester; empty without one. */
  public OptionalLong retryNanos() {
    return requester.hasDeadline()
        ? OptionalLong.of(requester.deadlineNanos())
        : OptionalLong.empty();
  }

  public boolean waitsForReceiver() {
    return requester.waitsForReceiver();
  }

  /** Enters the state requested by {@code ibv_modify_qp}, whose attributes are set already. */
  public void enter(QpState next) {
    if (next == QpState.ERR || next == QpState.RESET) {
      engine.keepAcknowledgements(this);
    }
    QpState oldState = qp.state();
    switch (next) {
      case RESET -> {
        completions.stateEntered(next);
        reset();
        if (!qp.has(Quirk.RESET_KEEPS_ATTRIBUTES)) {
          qp.attributes().clear();
          qp.loadAlternate(null);
          responder.start();
          requester.start();
        }
      }
      case ERR -> fail("the application moved the queue pair to ERR");
      case RTR -> {
        enterState(next);
        isEstablished = false;
        responder.start();
      }
      case RTS -> {
        enterState(next);
        sendsAreHeld = oldState == QpState.SQD && qp.has(Quirk.SENDS_HELD_AFTER_SQD);
        if (oldState == QpState.RTR) {
          requester.start();
        }
      }
      case SQD -> {
        enterState(next);
        if (oldState != QpState.SQD) {
          qp.setDraining(true);
          requester.askForAck();
        }
        checkDrained();
      }
      case INIT, SQE, UNKNOWN -> enterState(next);
    }
    engine.reschedule(this);
  }

  /** Restarts the retry counters after RETRY_CNT or RNR_RETRY was set. */
  public void retriesChanged() {
    requester.retriesChanged();
  }

  /** Reschedules the queue pair after its rate limit was changed. */
  public void rateChanged() {
    engine.reschedule(this);
  }

  public void migrate() {
    requester.askForAck();
    migration.migrateIfArmed();
    engine.reschedule(this);
  }

  private void enterState(QpState next) {
    completions.stateEntered(next);
    qp.enter(next);
  }

  /** Clears all state, for RESET and before destruction. */
  void reset() {
    qp.enter(QpState.RESET);
    qp.setDraining(false);
    migration.reset();
    answersInRow = 0;
    responder.stop();
    if (!qp.sendQueue().isEmpty()) {
      completions.sendsAbandoned();
    }
    qp.sendQueue().clear();
    qp.sendSlots().freeAll();
    qp.receiveQueue().clear();
    if (hasQueues() && !qp.has(Quirk.COMPLETIONS_OUTLIVE_QP)) {
      qp.sendCompletions().removeCompletionsOf(qp.qpn());
      qp.receiveCompletions().removeCompletionsOf(qp.qpn());
    }
    requester.stop();
  }

  /** Whether there are own queues: not with XRC_RECV, and not with RSS. */
  private boolean hasQueues() {
    return qp.sendCompletions() != null;
  }

  /** Name of the state; for ERR with the reason. */
  String stateInWords() {
    return qp.state() == QpState.ERR ? QpState.ERR + ", because " + failure : qp.state().name();
  }

  /** Enters ERR and flushes all posted requests in order. */
  void fail(String reason) {
    fail(reason, reason);
  }

  /**
   * Enters ERR. The long reason explains flushed requests. The short one goes to peers, who quote
   * it in reasons that may come back here.
   */
  private void fail(String inShort, String reason) {
    boolean wasInError = qp.state() == QpState.ERR;
    enterState(QpState.ERR);
    qp.setDraining(false);
    if (!wasInError) {
      flushReason = "flushed, because " + reason;
      failure = inShort;
    }
    if (qp.has(Quirk.RECEIVES_FLUSHED_FIRST)) {
      flushReceives();
      flushSends();
    } else {
      flushSends();
      flushReceives();
    }
    if (responder.failure() == null) {
      responder.stop();
    }
    if (!wasInError && takesSharedReceives()) {
      qp.raise(EventType.QP_LAST_WQE_REACHED);
    }
  }

  private boolean takesSharedReceives() {
    return qp.setup().srq() != null || qp.type() == QpType.XRC_RECV;
  }

  /** Enters SQE: sends are flushed while receiving continues. */
  private void failSends(String reason) {
    enterState(QpState.SQE);
    flushReason = "flushed, because " + reason;
    flushSends();
  }

  private void flushSends() {
    while (!qp.sendQueue().isEmpty()) {
      flush(qp.sendQueue().poll());
    }
    requester.stop();
  }

  private void flushReceives() {
    responder.flush(flushReason);
    while (!qp.receiveQueue().isEmpty()) {
      flush(qp.receiveQueue().poll());
    }
  }

  private void flush(SendWqe wqe) {
    completions.sendFailed(wqe, new WorkError(WcStatus.WR_FLUSH_ERR, flushReason));
  }

  private void flush(RecvWqe wqe) {
    WorkError flushError = new WorkError(WcStatus.WR_FLUSH_ERR, flushReason);
    completions.receiveFailed(ReceiveQueueRef.of(qp), wqe, flushError);
  }

  public void postSend(SendWqe wqe) {
    wqe.takeSlot(qp.sendSlots());
    if (qp.state() == QpState.ERR || qp.state() == QpState.SQE) {
      flush(wqe);
    } else {
      qp.sendQueue().push(wqe);
      sendsAreHeld = false;
    }
    engine.reschedule(this);
  }

  public void postReceive(RecvWqe wqe) {
    if (qp.state() == QpState.ERR) {
      flush(wqe);
    } else {
      qp.receiveQueue().push(wqe);
    }
    engine.failOverrun();
  }

  /**
   * Reason why the headers of a packet exclude this queue pair, or null. Has no side effects. The
   * P_Key is checked before the peer, so that no packet of another partition makes a path migrate.
   */
  private @Nullable DropReason headerFault(Packet packet) {
    // Rule responder.header: Service, state, P_Key and addresses of a packet are checked before
    // anything else.
    // Source: rxe_recv.c hdr_check, check_keys, check_addr
    // Test: ConnectionStateTest.takesNothingOfAnotherPartition
    if (packet.opcode().service() != service()) {
      return DropReason.WRONG_SERVICE;
    }
    if (!takes(packet.opcode().isResponse())) {
      return DropReason.WRONG_QP_STATE;
    }
    boolean isConnected = service() != Service.UD;
    if (!isConnected && !qp.isAtPortOf(packet.route().destination())) {
      return DropReason.WRONG_PORT;
    }
    if (!PartitionKey.matches(packet.pkey(), pkeyFor(packet))) {
      return DropReason.BAD_PKEY;
    }
    return isConnected && !migration.accepts(packet) ? DropReason.WRONG_PEER : null;
  }

  int pkeyFor(Packet packet) {
    return service() == Service.UD ? qp.pkey() : migration.pathOf(packet).pkey();
  }

  /** Details of the last drop of the responder; see {@link Responder#detailOf}. */
  String dropDetail(DropReason dropped, Packet packet) {
    return responder.detailOf(dropped, packet);
  }

  /** Transport service of the packets that the queue pair accepts; null for raw packets. */
  private @Nullable Service service() {
    return switch (qp.type()) {
      case RC -> Service.RC;
      case UC -> Service.UC;
      case UD -> Service.UD;
      case XRC_SEND, XRC_RECV -> Service.XRC;
      case RAW_PACKET, DRIVER -> null;
    };
  }

  /**
   * Handles a packet for this QPN, unless {@link #headerFault} rejects it.
   *
   * @return null, or why it was dropped
   */
  @Nullable DropReason receive(Packet packet, long nowNanos) {
    DropReason fault = headerFault(packet);
    if (fault != null) {
      if (fault == DropReason.WRONG_PEER) {
        migration.noteRefused(packet);
      }
      return fault;
    }
    migration.follow(packet);
    boolean isResponse = packet.opcode().isResponse();
    DropReason dropped =
        isResponse
            ? requester.receiveResponse(packet, nowNanos)
            : responder.receiveRequest(packet, nowNanos);
    if (dropped == null && !isResponse && responder.failure() == null) {
      raiseCommEst();
    }
    applyFailures();
    engine.reschedule(this);
    return dropped;
  }

  /**
   * Handles a frame that a flow steers here. A flow may be at an earlier port of the queue pair,
   * whose frames are dropped. A work queue has no port.
   *
   * @return null, or why it was dropped
   */
  @Nullable DropReason receiveFrame(RawFrame frame, int portNum) {
    if (!takes(false)) {
      return DropReason.WRONG_QP_STATE;
    }
    int ownPort = qp.attributes().portNum();
    if (ownPort != 0 && portNum != ownPort) {
      return DropReason.WRONG_PORT;
    }
    DropReason dropped = responder.receiveFrame(frame);
    applyFailures();
    return dropped;
  }

  /** Raises COMM_EST at the first accepted request in RTR; UD has no peer and raises none. */
  private void raiseCommEst() {
    if (!isEstablished && qp.state() == QpState.RTR && qp.type() != QpType.UD) {
      isEstablished = true;
      qp.raise(EventType.COMM_EST);
    }
  }

  /** Whether the current state accepts responses, or requests. */
  private boolean takes(boolean isResponse) {
    return switch (qp.state()) {
      case RTR -> !isResponse;
      case RTS, SQD, SQE -> true;
      case RESET, INIT, ERR, UNKNOWN -> false;
    };
  }

  /**
   * Whether responses may leave; in ERR only the last ones of a connection that the responder
   * failed.
   */
  private boolean answers() {
    return takes(false) || (qp.state() == QpState.ERR && responder.failure() != null);
  }

  /** Whether a posted send uses a memory region; local operations are assumed to. */
  boolean sendsFrom(RegisteredMemory region) {
    Ring<SendWqe> sendQueue = qp.sendQueue();
    for (long number = sendQueue.head(); number < sendQueue.tail(); number++) {
      SendWqe wqe = sendQueue.get(number);
      if (wqe.operation().isLocal() || wqe.sges().name(region.lkey())) {
        return true;
      }
    }
    return false;
  }

  boolean hasToSend() {
    boolean maySend = qp.state() == QpState.RTS || qp.state() == QpState.SQD;
    return responder.hasAnswers() || (maySend && requester.hasWork());
  }

  /**
   * Next packet or frame to send, or null. Responses come first, but after {@link
   * #HALF_TURN_PACKETS} in a row requests have their turn, as a READ response may be long. An
   * acknowledgement also lets one request go first: after a longer packet it leaves with the same
   * burst.
   */
  @Nullable TransmitUnit pollTransmit(long nowNanos) {
    requestBeforeAck = !requestBeforeAck && hasPendingAck();
    boolean isRequestsTurn = requestBeforeAck || answersInRow < 0;
    TransmitUnit unit = isRequestsTurn ? null : pollAnswer(nowNanos);
    if (unit == null) {
      unit = pollSends(nowNanos);
    }
    if (unit == null && isRequestsTurn) {
      requestBeforeAck = false; // No request was waiting.
      unit = pollAnswer(nowNanos);
    }
    applyFailures();
    return unit;
  }

  /** Next packet of a send, made before a verb; passes over pending responses; or null. */
  @Nullable TransmitUnit pollRequest(long nowNanos) {
    requester.askForAck();
    TransmitUnit unit = pollSends(nowNanos);
    applyFailures();
    return unit;
  }

  private @Nullable TransmitUnit pollSends(long nowNanos) {
    TransmitUnit unit = sendsAreHeld ? null : requester.pollRequest(nowNanos);
    if (unit != null) {
      answersInRow = Math.min(answersInRow + 1, 0);
    }
    return unit;
  }

  private @Nullable TransmitUnit pollAnswer(long nowNanos) {
    TransmitUnit unit = answers() ? responder.pollResponse(nowNanos) : null;
    if (unit != null) {
      int inRow = Math.max(answersInRow, 0) + 1;
      answersInRow = inRow == HALF_TURN_PACKETS ? -HALF_TURN_PACKETS : inRow;
    }
    return unit;
  }

  /** Acknowledges messages without AckReq now, as it may not be possible later. */
  void acknowledgeUnasked() {
    responder.failUnwritten();
    responder.acknowledgeUnasked();
  }

  /** Next response if it is an acknowledgement, otherwise null. */
  @Nullable Packet pollAcknowledgement(long nowNanos) {
    return hasPendingAck() ? responder.pollResponse(nowNanos) : null;
  }

  private boolean hasPendingAck() {
    return answers() && responder.hasPendingAck();
  }

  /** Fails the queue pair if a message could not be written to the memory of another process. */
  void failUnwritten() {
    responder.failUnwritten();
    applyFailures();
  }

  void expire(long nowNanos) {
    requester.expire(nowNanos);
    responder.expire(nowNanos);
    applyFailures();
  }

  /** Clause that says why the oldest send does not complete. */
  String blockedReason() {
    boolean isStarted = requester.isBusy();
    if (qp.state() == QpState.SQD && !isStarted) {
      return "is suspended in SQD, and continues in RTS";
    }
    return sendsAreHeld ? "is held after SQD until another is posted" : requester.blockedReason();
  }

  boolean isInInfiniteRnrRetry() {
    return requester.isInInfiniteRnrRetry();
  }

  boolean hasDeadline() {
    return requester.hasDeadline() || responder.hasDeadline();
  }

  long deadlineNanos() {
    return Timed.earlierNanos(requester, responder);
  }

  /** Enters SQE or ERR after a failure of requester or responder. */
  private void applyFailures() {
    if (qp.state() == QpState.ERR) {
      return;
    }
    WorkError error = requester.failure();
    if (error != null) {
      SendWqe wqe = requester.retire();
      completions.sendFailed(wqe, error);
      String inShort = "the send with wr_id " + wqe.wrId() + " failed with " + error.status();
      String reason = inShort + ": " + error.explanation();
      if (keepsReceiving()) {
        failSends(reason);
      } else {
        engine.keepAcknowledgements(this);
        fail(inShort, reason);
      }
    } else if (responder.failure() != null) {
      fail(responder.failure());
    }
    checkDrained();
  }

  /** Whether a failed send leads to SQE, not to ERR: only in RTS, not while draining. */
  private boolean keepsReceiving() {
    return qp.state() == QpState.RTS && TransitionTable.hasSendQueueError(qp.type());
  }

  private void checkDrained() {
    if (qp.isDraining() && !requester.isBusy()) {
      qp.setDraining(false);
      if (qp.attributes().enSqdAsyncNotify() || qp.has(Quirk.SQ_DRAINED_ALWAYS_RAISED)) {
        qp.raise(EventType.SQ_DRAINED);
      }
    }
  }
}
