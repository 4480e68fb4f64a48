// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.lab.simulation.RequestBuilder.BuiltRequest;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrOpcode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Model of a send queue: the sends not completed, and what each must complete with. */
final class SendModel {
  private final SimulatedQp side;
  private final SimulatedConnection connection;
  private final RequestBuilder requests;
  private final SendCounts counts = new SendCounts();

  /** Sends posted and not known to be completed, in order. */
  private final Deque<PendingSend> outstanding = new ArrayDeque<>();

  /** Sends of which no packet was sent, in order; without binds and local invalidates. */
  private final Deque<PendingSend> unstarted = new ArrayDeque<>();

  /** Sends that take a receive of the peer, not received yet; with UD or UC all of them. */
  private final Deque<PendingSend> messages = new ArrayDeque<>();

  /** Memory of completed sends whose packets may still be in flight. */
  private final List<GuardedBuffer> lingering = new ArrayList<>();

  /** Message in transmission on an unreliable queue pair; null if there is none. */
  private PendingSend started;

  private long nextWrId;

  /** Identifier of the oldest send whose slot is not freed: no later completion was polled. */
  private long firstSlot;

  private boolean hasFailed;

  SendModel(SimulatedQp side, SimulatedConnection connection) {
    this.side = side;
    this.connection = connection;
    requests = new RequestBuilder(side);
  }

  /** Numbers of sends by outcome. */
  static final class SendCounts {
    long posted;
    long succeeded;

    /** Sends that failed, or were dropped, after an action that may make them fail. */
    long excused;
  }

  SendCounts counts() {
    return counts;
  }

  /** Whether a send has failed since the queue pair was connected or resumed. */
  boolean hasFailed() {
    return hasFailed;
  }

  /** Messages that the peer has to receive, oldest first. */
  Deque<PendingSend> messages() {
    return messages;
  }

  /** Posts a send, if there is a free slot and memory. */
  void post(WorkSpec work) {
    boolean takesSends = side.state() != QpState.RESET && side.state() != QpState.RTR;
    PendingSend before = outstanding.peekLast();
    BuiltRequest request =
        takesSends && hasRoomFor(work) ? requests.of(nextWrId, work, before) : null;
    if (request == null) {
      return;
    }
    nextWrId++;
    counts.posted++;
    PendingSend send = request.sent();
    outstanding.addLast(send);
    if (!work.isLocal()) {
      unstarted.addLast(send);
    }
    if (work.consumesReceive()) {
      messages.addLast(send);
    }
    if (work.error() != InjectedError.NONE || mayMeetClosedWindow(send)) {
      connection.disturb();
    }
    side.host.listener.posting(side, request.wr());
    side.qp().postSend(request.wr());
    if (work.isInline()) {
      // Inline data is copied when posted, so the buffer may be reused.
      send.local.release();
      send.local = null;
    }
  }

  /** Whether a slot is free; the last is for a signaled send, which frees slots. */
  private boolean hasRoomFor(WorkSpec work) {
    long free = SimulatedQp.QUEUE - (nextWrId - firstSlot);
    return free > 1 || (free == 1 && work.isSignaled());
  }

  /** Whether a send may use a window that is invalidated meanwhile, locally or by the peer. */
  private boolean mayMeetClosedWindow(PendingSend send) {
    return (send.work.opcode() == WrOpcode.LOCAL_INV && !side.window.slot.isFree())
        || (send.remote != null && send.window != null && !send.window.isBound());
  }

  boolean awaitsBind() {
    return outstanding.stream().anyMatch(send -> send.work.opcode() == WrOpcode.BIND_MW);
  }

  /** Takes the next send whose transmission starts; null if there is none. */
  PendingSend nextToStart() {
    return unstarted.pollFirst();
  }

  /** Checks a packet of an unreliable queue pair: each message is sent once, in order. */
  void sent(WirePacket packet) {
    if (packet.startsMessage()) {
      started = nextToStart();
    }
    Violation.unless(started != null, "%s sent a %s of no message", side, packet);
    started.work.assertSentAs(packet, packet.endsMessage(), side + ": " + started);
  }

  /** Whether all sends before the given one are completed, or may be. */
  boolean isNext(PendingSend send) {
    for (PendingSend before : outstanding) {
      if (before == send) {
        return true;
      }
      if (side.judgesWire && (unstarted.contains(before) || side.requester.isUnderWay(before))) {
        return false;
      }
    }
    return true;
  }

  void completed(WorkCompletion completion) {
    long id = completion.wrId();
    firstSlot = id + 1;
    PendingSend send = next(completion);
    while (send.wrId != id) {
      Violation.unless(!send.work.isSignaled(), "%s: %s is skipped by that of %d", side, send, id);
      succeeded(send);
      send = next(completion);
    }
    String what = side + ": " + send + " completed with " + completion.status();
    if (completion.isSuccess()) {
      Violation.unless(send.work.isSignaled(), "%s, though it is unsignaled", what);
      Violation.unless(!hasFailed, "%s, behind a failed one", what);
      WcOpcode opcode = opcodeOf(send.work.opcode());
      Violation.unless(completion.opcode() == opcode, "%s and %s", what, completion.opcode());
      succeeded(send);
    } else {
      String why = what + " (" + completion.explain() + ")";
      assertLegal(send, completion.status(), why);
      // Each end starts with the PSN that the other one expects.
      Violation.unless(!completion.explain().contains("is not sq_psn"), "%s, which is wrong", why);
      hasFailed = true;
      if (completion.status() == WcStatus.RNR_RETRY_EXC_ERR) {
        connection.disturb(); // A receiver that is late may cause this status.
      }
      connection.fail();
      failed(send);
    }
  }

  private PendingSend next(WorkCompletion completion) {
    Violation.unless(
        !outstanding.isEmpty(), "%s: nothing is outstanding, but %s came", side, completion);
    return outstanding.removeFirst();
  }

  private void assertLegal(PendingSend send, WcStatus status, String what) {
    boolean isLegal =
        switch (status) {
          case WR_FLUSH_ERR ->
              hasFailed
                  || side.state() == QpState.ERR
                  || connection.isDisturbed()
                  || connection.hasFailed();
          case RETRY_EXC_ERR -> side.isReliable() && hasRetried(what);
          case RNR_RETRY_EXC_ERR -> side.isReliable() && hasWaited(what);
          case LOC_LEN_ERR ->
              side.config.type() == QpType.UD && send.work.error() == InjectedError.TOO_LONG;
          case LOC_PROT_ERR -> send.work.error() == InjectedError.LOCAL_KEY;
          case REM_INV_REQ_ERR, REM_ACCESS_ERR ->
              side.isReliable()
                  && (send.work.error().status() == status
                      || (status == WcStatus.REM_ACCESS_ERR && send.mayFindWindowClosed()));
          case MW_BIND_ERR -> send.work.error().status() == status;
          default -> false;
        };
    Violation.unless(isLegal, "%s, which nothing explains", what);
    Violation.unless(
        !hasFailed || status == WcStatus.WR_FLUSH_ERR, "%s, behind a failed one", what);
  }

  /** Whether all retries since the last acknowledgement are used up. */
  private boolean hasRetried(String what) {
    int retries = side.requester.retries();
    Violation.unless(
        !side.judgesWire || retries >= side.config.retry().retryCnt(),
        "%s after %d retries",
        what,
        retries);
    boolean isDeaf = side.peer().state() == QpState.ERR || side.peer().state() == QpState.RESET;
    Violation.unless(
        !side.judgesWire || isDeaf || !side.peer().responder.isMute(),
        "%s, though the request has arrived",
        what);
    return true;
  }

  private boolean hasWaited(String what) {
    int refusals = side.requester.refusals();
    int most = side.config.retry().rnrRetry();
    Violation.unless(!side.judgesWire || refusals > most, "%s after %d refusals", what, refusals);
    return side.config.retry().limitsRefusals();
  }

  private void succeeded(PendingSend send) {
    counts.succeeded++;
    WorkSpec work = send.work;
    String what = side + ": " + send + " succeeded";
    Violation.unless(!side.judgesWire || !unstarted.contains(send), "%s, but was never sent", what);
    Violation.unless(
        side.config.membership().isConnected() || !side.isReliable() || work.isLocal(),
        "%s, though the peer is in another partition",
        what);
    boolean mayFlawSucceed =
        (!side.isReliable() && work.error() != InjectedError.LOCAL_KEY)
            || (work.error() == InjectedError.BOUND_WINDOW && side.window.isClosed());
    Violation.unless(
        work.error() == InjectedError.NONE || mayFlawSucceed, "%s with %s", what, work.error());
    if (work.consumesReceive() && side.isReliable()) {
      Violation.unless(send.isReceived, "%s, but the peer has not received it", what);
    }
    if (work.isLocal()) {
      side.window.succeeded(send);
    }
    if (send.local != null) {
      if (work.fetchesData() && send.counter == null) {
        send.local.assertHolds(0, send.data, what);
      }
      send.local.release();
    }
    if (send.remote != null && side.isReliable()) {
      send.remote.assertHolds(0, send.data, what);
      send.remote.release();
    } else if (send.remote != null) {
      lingering.add(send.remote);
    }
    if (send.word != null) {
      send.word.succeeded();
    }
    if (send.counter != null) {
      send.counter.succeeded();
    }
  }

  private void failed(PendingSend send) {
    unstarted.remove(send);
    counts.excused += connection.isDisturbed() ? 1 : 0;
    over(send);
  }

  /** Ends a send that may have been executed, or may still be. */
  private void over(PendingSend send) {
    if (send.local != null) {
      send.local.release();
    }
    if (send.remote != null) {
      lingering.add(send.remote);
    }
    if (send.word != null) {
      send.word.failed();
    }
  }

  /** Treats the remaining unsignaled sends as successful, as no work is left in the queue. */
  void conclude() {
    while (!outstanding.isEmpty()) {
      PendingSend send = outstanding.removeFirst();
      Violation.unless(!send.work.isSignaled(), "%s: %s never completed", side, send);
      succeeded(send);
    }
  }

  /** Handles a reset of the queue pair: no send completes any more. */
  void dropAll() {
    counts.excused += outstanding.size();
    outstanding.forEach(this::over);
    outstanding.clear();
    firstSlot = nextWrId;
    unstarted.clear();
  }

  /** Prepares for a new connection, when no earlier packet is in flight. */
  void restart() {
    messages.clear();
    hasFailed = false;
    settle();
  }

  void resume() {
    hasFailed = false;
  }

  /** Frees memory of completed sends, when no packets are in flight. */
  void settle() {
    lingering.forEach(GuardedBuffer::release);
    lingering.clear();
  }

  private static WcOpcode opcodeOf(WrOpcode opcode) {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV -> WcOpcode.SEND;
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
      case RDMA_READ -> WcOpcode.RDMA_READ;
      case ATOMIC_CMP_AND_SWP -> WcOpcode.COMP_SWAP;
      case ATOMIC_FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
      case LOCAL_INV -> WcOpcode.LOCAL_INV;
      case BIND_MW -> WcOpcode.BIND_MW;
      case TSO -> WcOpcode.TSO;
      case FLUSH -> WcOpcode.FLUSH;
      case ATOMIC_WRITE -> WcOpcode.ATOMIC_WRITE;
      case DRIVER1 -> WcOpcode.DRIVER1;
    };
  }
}
