package io.queuepair.tools.workload;

import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The receive queue of one queue pair as it must be: what completes, in which order, and with which
 * message.
 */
final class ReceiveModel {
  private static final int GRH_BYTES = 40;

  private final Side side;
  private final Connection connection;
  private final Deque<Posted> outstanding = new ArrayDeque<>();
  private long nextWrId;

  /** A receive and its memory. */
  private record Posted(long wrId, Slot slot) {}

  ReceiveModel(Side side, Connection connection) {
    this.side = side;
    this.connection = connection;
  }

  /** Posts as many as there is room for. */
  void post(int count, int pieces) {
    for (int i = 0; i < count && mayPost(); i++) {
      Slot slot = side.local().take();
      if (slot == null) {
        return;
      }
      slot.open(Arena.ROOM);
      Posted posted = new Posted(nextWrId++, slot);
      outstanding.addLast(posted);
      RecvWr wr = new RecvWr(posted.wrId, slot.sges(Arena.ROOM, pieces));
      side.host().journal().posting(side, wr);
      side.qp().postRecv(wr);
    }
  }

  private boolean mayPost() {
    // Half of the memory is for what is fetched.
    return side.state() != QpState.RESET && outstanding.size() < Side.QUEUE / 2;
  }

  /** Posts what the messages of the peer still need. */
  boolean postMissing() {
    int missing = side.peer().sends().messages().size() - outstanding.size();
    boolean isShort = side.isReliable() && missing > 0;
    if (isShort) {
      post(missing, 1);
    }
    return isShort;
  }

  void completed(WorkCompletion completion) {
    Posted posted = outstanding.pollFirst();
    Violation.unless(
        posted != null && posted.wrId == completion.wrId(),
        "%s: receive %d completed, but %s is next",
        side,
        completion.wrId(),
        posted);
    String what = side + ": receive " + posted.wrId + " completed with " + completion.status();
    if (completion.isSuccess()) {
      if (side.isReliable()) {
        Sent message = side.peer().sends().messages().pollFirst();
        Violation.unless(message != null, "%s, but nothing was sent", what);
        message.isReceived = true;
        assertReceived(completion, message, posted.slot, what);
      } else {
        assertKnown(completion, posted.slot, what);
      }
    } else {
      assertLegal(completion, what);
    }
    posted.slot.release();
  }

  private void assertReceived(WorkCompletion completion, Sent message, Slot slot, String what) {
    Work work = message.work();
    String both = what + " for " + message;
    boolean isWrite = work.isWrite();
    WcOpcode opcode = isWrite ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV;
    Violation.unless(completion.opcode() == opcode, "%s and %s", both, completion.opcode());
    int grh = side.plan().type() == QpType.UD ? GRH_BYTES : 0;
    Violation.unless(
        completion.byteLen() == grh + work.bytes(), "%s and %d", both, completion.byteLen());
    boolean hasImmediate = completion.wcFlags().contains(WcFlag.WITH_IMM);
    Violation.unless(hasImmediate == work.hasImmediate(), "%s: immediate %s", both, hasImmediate);
    Violation.unless(
        !hasImmediate || completion.immData() == work.operand(),
        "%s: immediate 0x%x",
        both,
        completion.immData());
    if (isWrite) {
      message.remote.assertHolds(0, message.data(), both);
    } else {
      slot.assertHolds(grh, message.data(), both);
    }
    if (side.isReliable()) {
      slot.assertUntouchedFrom(isWrite ? 0 : work.bytes());
    }
  }

  /** Without a connection that counts, it must be one of the messages that were sent. */
  private void assertKnown(WorkCompletion completion, Slot slot, String what) {
    Violation last = Violation.of("%s, but nothing was sent", what);
    for (Sent message : side.peer().sends().messages()) {
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

  boolean isEmpty() {
    return outstanding.isEmpty();
  }

  /** The queue pair was reset: nothing will complete, and nothing be written. */
  void dropAll() {
    outstanding.forEach(posted -> posted.slot.release());
    outstanding.clear();
  }
}
