package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Outgoing;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;

/** A queue pair at work: what each of its states means for its two halves. */
final class QpLifecycle {
  /** Answers in a row before requests have their turn, of as many packets. */
  private static final int HALF_TURN_PACKETS = 32;

  private final QpContext qp;
  private final PathMigration migration;
  private final Completions completions;
  private final SendSide sends;
  private final ReceiveSide receives;
  private final Deadline deadline = new Deadline(this);

  /** Whether a request has been taken in RTR, which is an event once. */
  private boolean isEstablished;

  /** Whether it stands in the queue of those that may have something to send. */
  private boolean isQueuedToSend;

  /** Whether the acknowledgement that is next has just let a request pass. */
  private boolean letsPass;

  /**
   * Answers since the last request; if negative, how many requests may leave before the next
   * answer.
   */
  private int answersInRow;

  /** Whether sends wait for the next one to be posted. */
  private boolean sendsAreHeld;

  /** Why everything posted is flushed, in SQE (sends only) and ERR. */
  private String flushReason;

  /** Why it is in ERR, in few words. */
  private String failure;

  QpLifecycle(
      PathMigration migration, Completions completions, SendSide sends, ReceiveSide receives) {
    this.migration = migration;
    qp = migration.qp();
    this.completions = completions;
    this.sends = sends;
    this.receives = receives;
  }

  QpContext qp() {
    return qp;
  }

  PathMigration migration() {
    return migration;
  }

  Deadline deadline() {
    return deadline;
  }

  boolean isQueuedToSend() {
    return isQueuedToSend;
  }

  void setQueuedToSend(boolean queued) {
    isQueuedToSend = queued;
  }

  /** Next PSN expected from the peer. */
  int expectedPsn() {
    return receives.expectedPsn();
  }

  /** Next PSN that will be sent for the first time; frames have none. */
  int nextPsn() {
    return qp.type() == QpType.RAW_PACKET ? 0 : sends.nextPsn();
  }

  /** Enters a state that {@code ibv_modify_qp} asked for; the attributes are set already. */
  void enter(QpState next) {
    QpState previous = qp.state();
    switch (next) {
      case RESET -> {
        completions.enters(next);
        reset();
      }
      case ERR -> fail("the application moved the queue pair to ERR");
      case RTR -> {
        enterState(next);
        isEstablished = false;
        receives.start();
      }
      case RTS -> {
        enterState(next);
        sendsAreHeld = previous == QpState.SQD && qp.has(Quirk.SENDS_HELD_AFTER_SQD);
        if (previous == QpState.RTR) {
          sends.start();
        }
      }
      case SQD -> {
        enterState(next);
        if (previous != QpState.SQD) {
          qp.setDraining(true);
        }
        checkDrained();
      }
      case INIT, SQE, UNKNOWN -> enterState(next);
    }
  }

  /** RETRY_CNT or RNR_RETRY was set. */
  void retriesChanged() {
    sends.retriesChanged();
  }

  private void enterState(QpState next) {
    completions.enters(next);
    qp.enter(next);
  }

  /** Forgets everything: for RESET, and for the end. */
  void reset() {
    qp.enter(QpState.RESET);
    qp.setDraining(false);
    answersInRow = 0;
    receives.stop();
    if (!qp.sendQueue().isEmpty()) {
      completions.sendsAbandoned();
    }
    qp.sendQueue().clear();
    qp.receiveQueue().clear();
    if (hasQueues() && !qp.has(Quirk.COMPLETIONS_OUTLIVE_QP)) {
      qp.sendCompletions().removeCompletionsOf(qp.qpn());
      qp.receiveCompletions().removeCompletionsOf(qp.qpn());
    }
    sends.stop();
  }

  /** Whether it has queues of its own: the target of an extended connection has none. */
  private boolean hasQueues() {
    return qp.type() != QpType.XRC_RECV;
  }

  /** The state, and why it is that if something has failed. */
  String stateInWords() {
    return qp.state() == QpState.ERR ? QpState.ERR + ", because " + failure : qp.state().name();
  }

  /** Enters Error: everything that is posted completes as flushed, in order. */
  void fail(String reason) {
    fail(reason, reason);
  }

  /**
   * The same for a reason that is a long story: a peer would repeat it in its own, which could be
   * repeated here.
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
    if (receives.failure() == null) {
      receives.stop();
    }
    if (!wasInError && takesSharedReceives()) {
      qp.raise(EventType.QP_LAST_WQE_REACHED);
    }
  }

  private boolean takesSharedReceives() {
    return qp.setup().srq() != null || qp.type() == QpType.XRC_RECV;
  }

  /** Enters the state in which sends are flushed while receiving goes on. */
  private void failSends(String reason) {
    enterState(QpState.SQE);
    flushReason = "flushed, because " + reason;
    flushSends();
  }

  private void flushSends() {
    while (!qp.sendQueue().isEmpty()) {
      flush(qp.sendQueue().poll());
    }
    sends.stop();
  }

  private void flushReceives() {
    receives.flush(flushReason);
    while (!qp.receiveQueue().isEmpty()) {
      flush(qp.receiveQueue().poll());
    }
  }

  private void flush(SendWqe wqe) {
    completions.sendFailed(wqe, new Failure(WcStatus.WR_FLUSH_ERR, flushReason));
  }

  private void flush(RecvWqe wqe) {
    Failure flushed = new Failure(WcStatus.WR_FLUSH_ERR, flushReason);
    completions.receiveFailed(ReceiveSource.of(qp), wqe, flushed);
  }

  void postSend(SendWqe wqe) {
    if (qp.state() == QpState.ERR || qp.state() == QpState.SQE) {
      flush(wqe);
    } else {
      qp.sendQueue().push(wqe);
      sendsAreHeld = false;
    }
  }

  void postReceive(RecvWqe wqe) {
    if (qp.state() == QpState.ERR) {
      flush(wqe);
    } else {
      qp.receiveQueue().push(wqe);
    }
  }

  /**
   * Takes a packet that {@link PacketMatch} found to be for this queue pair.
   *
   * @return null, or why it was dropped
   */
  DropReason receive(Packet packet, long nowNanos) {
    migration.follow(packet);
    boolean isResponse = packet.opcode().isResponse();
    DropReason dropped =
        isResponse ? sends.receive(packet, nowNanos) : receives.receive(packet, nowNanos);
    if (dropped == null && !isResponse && receives.failure() == null) {
      noteEstablished();
    }
    settle();
    return dropped;
  }

  /**
   * Takes a frame that a flow leads here, maybe one of the port that the queue pair had before.
   *
   * @return null, or why it was dropped
   */
  DropReason receive(RawFrame frame, int portNum) {
    if (!takes(false)) {
      return DropReason.WRONG_QP_STATE;
    }
    if (portNum != qp.attributes().portNum()) {
      return DropReason.WRONG_PORT;
    }
    DropReason dropped = receives.receive(frame);
    settle();
    return dropped;
  }

  /**
   * The first request that is not refused while still in RTR is news: the peer is there, so RTS may
   * follow. Except for datagrams: they need no peer.
   */
  private void noteEstablished() {
    if (!isEstablished && qp.state() == QpState.RTR && qp.type() != QpType.UD) {
      isEstablished = true;
      qp.raise(EventType.COMM_EST);
    }
  }

  /** Whether packets are looked at in the present state. */
  boolean takes(boolean isResponse) {
    return switch (qp.state()) {
      case RTR -> !isResponse;
      case RTS, SQD, SQE -> true;
      case RESET, INIT, ERR, UNKNOWN -> false;
    };
  }

  /** Whether responses may leave: also the last ones of a connection that the responder failed. */
  private boolean answers() {
    return takes(false) || (qp.state() == QpState.ERR && receives.failure() != null);
  }

  /** Whether there may be something to send. */
  boolean hasToSend() {
    boolean maySend = qp.state() == QpState.RTS || qp.state() == QpState.SQD;
    return receives.hasAnswers() || (maySend && sends.hasWork());
  }

  /**
   * The next packet or frame to send, or null. Answers are first, but after some in a row it is the
   * requests' turn, as a READ response may be long. An acknowledgement lets one request pass, too:
   * behind a longer packet it leaves with the same burst.
   */
  Outgoing poll(long nowNanos) {
    letsPass = !letsPass && owesAcknowledgement();
    boolean isRequestsTurn = letsPass || answersInRow < 0;
    Outgoing packet = isRequestsTurn ? null : pollAnswer(nowNanos);
    if (packet == null) {
      packet = pollRequest(nowNanos);
    }
    if (packet == null && isRequestsTurn) {
      letsPass = false; // There was none to pass.
      packet = pollAnswer(nowNanos);
    }
    settle();
    return packet;
  }

  private Outgoing pollRequest(long nowNanos) {
    Outgoing request = sendsAreHeld ? null : sends.poll(nowNanos);
    if (request != null) {
      answersInRow = Math.min(answersInRow + 1, 0);
    }
    return request;
  }

  private Outgoing pollAnswer(long nowNanos) {
    Outgoing answer = answers() ? receives.poll(nowNanos) : null;
    if (answer != null) {
      int inRow = Math.max(answersInRow, 0) + 1;
      answersInRow = inRow == HALF_TURN_PACKETS ? -HALF_TURN_PACKETS : inRow;
    }
    return answer;
  }

  /** The acknowledgement that is to be sent next, or null if there is none or another answer is. */
  Packet pollAcknowledgement(long nowNanos) {
    return owesAcknowledgement() ? receives.poll(nowNanos) : null;
  }

  private boolean owesAcknowledgement() {
    return answers() && receives.owesAcknowledgement();
  }

  /** Acts on what has become due. */
  void expire(long nowNanos) {
    sends.expire(nowNanos);
    settle();
  }

  /** What keeps the oldest send from completing, as a clause about it. */
  String obstacle() {
    boolean isStarted = sends.isBusy();
    if (qp.state() == QpState.SQD && !isStarted) {
      return "is suspended in SQD, and goes on in RTS";
    }
    return sendsAreHeld ? "is held after SQD until another is posted" : sends.obstacle();
  }

  boolean isRefusedEndlessly() {
    return sends.isRefusedEndlessly();
  }

  boolean hasDeadline() {
    return sends.hasDeadline();
  }

  long deadlineNanos() {
    return sends.deadlineNanos();
  }

  /** Draws the consequences of what either half has met. */
  private void settle() {
    if (qp.state() == QpState.ERR) {
      return;
    }
    Failure failed = sends.failure();
    if (failed != null) {
      SendWqe wqe = sends.retire();
      completions.sendFailed(wqe, failed);
      String inShort = "the send with wr_id " + wqe.wrId() + " failed with " + failed.status();
      String reason = inShort + ": " + failed.explanation();
      if (keepsReceiving()) {
        failSends(reason);
      } else {
        fail(inShort, reason);
      }
    } else if (receives.failure() != null) {
      fail(receives.failure());
    }
    checkDrained();
  }

  /** A failed send stops the send queue alone, unless it was being drained. */
  private boolean keepsReceiving() {
    return qp.state() == QpState.RTS && TransitionTable.hasSendQueueError(qp.type());
  }

  private void checkDrained() {
    if (qp.isDraining() && !sends.isBusy()) {
      qp.setDraining(false);
      if (qp.attributes().enSqdAsyncNotify() || qp.has(Quirk.DRAINED_ALWAYS_TOLD)) {
        qp.raise(EventType.SQ_DRAINED);
      }
    }
  }
}
