// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrOpcode;
import java.util.ArrayDeque;
import java.util.Deque;

/** Model of a receive queue: receives that must complete, in order, with their messages. */
final class ReceiveModel {
  private static final int GRH_BYTES = 40;

  private final SimulatedQp side;
  private final SimulatedConnection connection;
  private final Deque<PendingReceive> outstanding = new ArrayDeque<>();
  private long nextWrId;

  /** Number of oldest receives that a shared queue may have given before the reset. */
  private int mayBeLost;

  private record PendingReceive(long wrId, GuardedBuffer slot) {}

  ReceiveModel(SimulatedQp side, SimulatedConnection connection) {
    this.side = side;
    this.connection = connection;
  }

  /** Posts receives, as many as there is room for. */
  void post(int count, int pieces) {
    for (int i = 0; i < count && mayPost(); i++) {
      GuardedBuffer slot = side.local.take();
      if (slot == null) {
        return;
      }
      int room = side.local.roomBytes;
      slot.open(room);
      PendingReceive receive = new PendingReceive(nextWrId++, slot);
      outstanding.addLast(receive);
      RecvWr wr = new RecvWr(receive.wrId, slot.sges(room, pieces));
      side.host.listener.posting(side, wr);
      if (side.srq == null) {
        side.qp().postRecv(wr);
      } else {
        side.srq.postRecv(wr);
      }
    }
  }

  private boolean mayPost() {
    // Half of the slots are for data that READs and atomics return.
    return side.state() != QpState.RESET && outstanding.size() - mayBeLost < side.local.slots() / 2;
  }

  /** Posts receives that the peer's messages still need; returns whether any were missing. */
  boolean postMissing() {
    int missing = side.peer().sends.messages().size() - outstanding.size() + mayBeLost;
    boolean isShort = side.isReliable() && missing > 0;
    if (isShort) {
      post(missing, 1);
    }
    return isShort;
  }

  void completed(WorkCompletion completion) {
    skipLost(completion.wrId());
    PendingReceive receive = outstanding.pollFirst();
    Violation.unless(
        receive != null && receive.wrId == completion.wrId(),
        "%s: receive %d completed, but %s is next",
        side,
        completion.wrId(),
        receive == null ? "none" : receive.wrId);
    String what = side + ": receive " + receive.wrId + " completed with " + completion.status();
    Violation.unless(
        side.config.membership().isConnected() || !completion.isSuccess(),
        "%s, though the peer is in another partition",
        what);
    if (completion.isSuccess()) {
      if (side.isReliable()) {
        PendingSend message = side.peer().sends.messages().pollFirst();
        Violation.unless(message != null, "%s, but nothing was sent", what);
        message.isReceived = true;
        assertReceived(completion, message, receive.slot, what);
      } else {
        assertKnown(completion, receive.slot, what);
      }
    } else {
      assertLegal(completion, what);
    }
    receive.slot.release();
  }

  /** Skips receives that a queue pair had taken from a shared receive queue before its reset. */
  private void skipLost(long wrId) {
    while (mayBeLost > 0 && !outstanding.isEmpty() && outstanding.peekFirst().wrId != wrId) {
      outstanding.removeFirst().slot.release();
      mayBeLost--;
    }
    mayBeLost = 0;
  }

  private void assertReceived(
      WorkCompletion completion, PendingSend message, GuardedBuffer slot, String what) {
    WorkSpec work = message.work;
    String both = what + " for " + message;
    boolean isWrite = work.isWrite();
    WcOpcode opcode = isWrite ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV;
    Violation.unless(completion.opcode() == opcode, "%s and %s", both, completion.opcode());
    int grh = side.config.type() == QpType.UD ? GRH_BYTES : 0;
    Violation.unless(
        completion.byteLen() == grh + work.bytes(), "%s and %d", both, completion.byteLen());
    boolean hasImmediate = completion.wcFlags().contains(WcFlag.WITH_IMM);
    Violation.unless(hasImmediate == work.hasImmediate(), "%s: immediate %s", both, hasImmediate);
    Violation.unless(
        !hasImmediate || completion.immData() == work.operand(),
        "%s: immediate 0x%x",
        both,
        completion.immData());
    boolean isInvalidation = completion.wcFlags().contains(WcFlag.WITH_INV);
    Violation.unless(
        isInvalidation == (work.opcode() == WrOpcode.SEND_WITH_INV),
        "%s: invalidation %s",
        both,
        isInvalidation);
    if (isInvalidation) {
      message.window.closedByPeer(completion.invalidatedRkey());
    }
    if (isWrite) {
      Violation.unless(message.remote != null, "%s, which is not allowed to write", both);
      message.remote.assertHolds(0, message.data, both);
    } else {
      slot.assertHolds(grh, message.data, both);
    }
    if (side.isReliable()) {
      slot.assertUntouchedFrom(isWrite ? 0 : work.bytes());
    }
  }

  /** Checks that a completion matches one of the messages sent; unreliable messages may be lost. */
  private void assertKnown(WorkCompletion completion, GuardedBuffer slot, String what) {
    Violation last = Violation.of("%s, but nothing was sent", what);
    for (PendingSend message : side.peer().sends.messages()) {
      try {
        assertReceived(completion, message, slot, what);
        return;
      } catch (Violation different) {
        last = different;
      }
    }
    throw last;
  }

  private void assertLegal(WorkCompletion completion, String what) {
    boolean isLegal =
        switch (completion.status()) {
          case WR_FLUSH_ERR -> side.qp().query().qpState() == QpState.ERR;
          case REM_INV_REQ_ERR, LOC_LEN_ERR, LOC_ACCESS_ERR ->
              side.isReliable() && connection.isDisturbed();
          default -> false;
        };
    String why = completion.explain();
    Violation.unless(isLegal, "%s (%s), which nothing explains", what, why);
  }

  /** Number of receives posted and not known to be consumed. */
  int posted() {
    return outstanding.size();
  }

  boolean isEmpty() {
    return outstanding.isEmpty();
  }

  /** Handles a reset of the queue pair: no receive completes any more, and no memory is written. */
  void dropAll() {
    if (side.srq != null) {
      // Each message may have taken a receive whose completion has not been polled.
      int taken = side.peer().sends.messages().size();
      mayBeLost = Math.min(outstanding.size(), mayBeLost + taken);
      return;
    }
    outstanding.forEach(receive -> receive.slot.release());
    outstanding.clear();
  }
}
