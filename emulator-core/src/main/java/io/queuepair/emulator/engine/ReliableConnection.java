package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcStatus;
import java.util.Queue;

/**
 * A queue pair of type RC at work: requester and responder, and what each state of the queue pair
 * means for them.
 */
final class ReliableConnection {
  private final QpContext qp;
  private final Completions completions;
  private final SendWindow window;
  private final RetryState retry;
  private final Requester requester;
  private final Completer completer;
  private final Responder responder;
  private final Deadline deadline = new Deadline(this);

  /** Whether the first packet has arrived, which is an event if the state is still RTR. */
  private boolean isEstablished;

  /** Whether it stands in the queue of those that may have something to send. */
  private boolean isQueuedToSend;

  ReliableConnection(
      QpContext qp, MemoryTable memory, Pacing pacing, Queue<CompletionRing> overruns) {
    this.qp = qp;
    ScatterGather scatterGather = new ScatterGather(memory);
    completions = new Completions(qp, overruns);
    window = new SendWindow(qp);
    retry = new RetryState(qp.attributes(), pacing.ackTimeoutFactor());
    requester = new Requester(qp, scatterGather, pacing, window, retry);
    completer = new Completer(qp, scatterGather, window, retry, completions);
    responder = new Responder(qp, memory, completions);
  }

  QpContext qp() {
    return qp;
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
    return responder.expectedPsn();
  }

  /** Next PSN that will be sent for the first time. */
  int nextPsn() {
    return window.sentEndPsn();
  }

  /** Enters a state that {@code ibv_modify_qp} asked for; the attributes are set already. */
  void enter(QpState next) {
    QpState previous = qp.state();
    switch (next) {
      case RESET -> reset();
      case ERR -> fail();
      case RTR -> {
        qp.enter(next);
        isEstablished = false;
        responder.start();
      }
      case RTS -> {
        qp.enter(next);
        if (previous == QpState.RTR) {
          window.start(qp.attributes().sqPsn());
          retry.start();
          completer.start();
        }
      }
      case INIT, SQD, SQE, UNKNOWN -> qp.enter(next);
    }
  }

  private void reset() {
    qp.enter(QpState.RESET);
    qp.sendQueue().clear();
    qp.receiveQueue().clear();
    qp.sendCompletions().removeCompletionsOf(qp.qpn());
    qp.receiveCompletions().removeCompletionsOf(qp.qpn());
    retry.stop();
    completer.stop();
    responder.stop();
  }

  /** Enters Error: everything that is posted completes as flushed, in order. */
  void fail() {
    qp.enter(QpState.ERR);
    retry.stop();
    while (!qp.sendQueue().isEmpty()) {
      completions.sendFailed(qp.sendQueue().poll(), WcStatus.WR_FLUSH_ERR);
    }
    RecvWqe inUse = responder.takeReceiveInUse();
    if (inUse != null) {
      completions.receiveFailed(inUse, WcStatus.WR_FLUSH_ERR);
    }
    while (!qp.receiveQueue().isEmpty()) {
      completions.receiveFailed(qp.receiveQueue().poll(), WcStatus.WR_FLUSH_ERR);
    }
    if (!responder.hasFailed()) {
      responder.stop();
    }
  }

  void postSend(SendWqe wqe) {
    if (qp.state() == QpState.ERR) {
      completions.sendFailed(wqe, WcStatus.WR_FLUSH_ERR);
    } else {
      qp.sendQueue().push(wqe);
    }
  }

  void postReceive(RecvWqe wqe) {
    if (qp.state() == QpState.ERR) {
      completions.receiveFailed(wqe, WcStatus.WR_FLUSH_ERR);
    } else {
      qp.receiveQueue().push(wqe);
    }
  }

  /**
   * Takes a packet of the peer.
   *
   * @return null, or why it was dropped
   */
  DropReason receive(Packet packet, long nowNanos) {
    boolean isResponse = packet.opcode().isResponse();
    if (!takes(isResponse)) {
      return DropReason.WRONG_QP_STATE;
    }
    DropReason dropped =
        isResponse ? completer.receive(packet, nowNanos) : responder.receive(packet);
    if (dropped == null && !isEstablished) {
      isEstablished = true;
      if (qp.state() == QpState.RTR) {
        qp.raise(EventType.COMM_EST);
      }
    }
    failIfDue();
    return dropped;
  }

  private boolean takes(boolean isResponse) {
    return qp.state() == QpState.RTS || (qp.state() == QpState.RTR && !isResponse);
  }

  /** Whether responses may leave: also the last ones of a connection that the responder failed. */
  private boolean answers() {
    return takes(false) || (qp.state() == QpState.ERR && responder.hasFailed());
  }

  /** The next packet to send, or null: answers first. */
  Packet poll(long nowNanos) {
    if (answers()) {
      // Only now: the last answer, which may be a view of memory, has left since.
      responder.resume();
      Packet answer = responder.poll();
      failIfDue();
      if (answer != null) {
        return answer;
      }
    }
    Packet request = requester.poll(nowNanos);
    failIfDue();
    return request;
  }

  /**
   * The acknowledgement that is to be sent next, or null if there is none or a READ response is.
   */
  Packet pollAcknowledgement() {
    return answers() && responder.owesAcknowledgement() ? responder.poll() : null;
  }

  /** Acts on what has become due. */
  void expire(long nowNanos) {
    completer.expire(nowNanos);
    failIfDue();
  }

  boolean hasDeadline() {
    return retry.hasDeadline();
  }

  long deadlineNanos() {
    return retry.deadlineNanos();
  }

  private void failIfDue() {
    if (qp.state() == QpState.ERR) {
      return;
    }
    WcStatus status = completer.failure();
    if (status != null) {
      completions.sendFailed(window.retire(), status);
      fail();
    } else if (responder.hasFailed()) {
      fail();
    }
  }
}
