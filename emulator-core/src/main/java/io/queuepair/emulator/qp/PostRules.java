package io.queuepair.emulator.qp;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What {@code ibv_post_send} and {@code ibv_post_recv} check before they accept a request, and the
 * errno of each refusal. Keys and addresses are not among it: they are checked when the work runs.
 */
public final class PostRules {
  private static final String SEND = "ibv_post_send";
  private static final String RECV = "ibv_post_recv";
  private static final long MAX_MESSAGE_BYTES = 1L << 31;

  private static final Set<QpState> SENDING =
      EnumSet.of(QpState.RTS, QpState.SQD, QpState.SQE, QpState.ERR);

  private PostRules() {}

  /**
   * Checks and flattens a send.
   *
   * @param index its position in the list, for the refusal
   */
  public static SendWqe send(QpContext qp, ScatterGather memory, SendWr wr, int index) {
    if (!SENDING.contains(qp.state())) {
      throw refusal(SEND, index, "sends are not accepted in state " + qp.state());
    }
    if (qp.sendQueue().isFull()) {
      throw full(SEND, index, "send queue", qp.sendQueue().capacity());
    }
    checkSges(SEND, wr.sgList(), qp.setup().cap().maxSendSge(), index);
    long length = ScatterGather.lengthOf(wr.sgList());
    if (length > MAX_MESSAGE_BYTES) {
      throw refusal(SEND, index, "a message of " + length + " bytes is longer than 2^31");
    }
    if (wr instanceof SendWr.RdmaRead && qp.attributes().maxRdAtomic() == 0) {
      throw refusal(SEND, index, "MAX_QP_RD_ATOMIC is 0, so no READ could ever start");
    }
    Payload inline = null;
    if (wr.flags().contains(SendFlag.INLINE)) {
      inline = captureInline(qp, memory, wr, index);
    }
    boolean signaled = qp.setup().sqSigAll() || wr.flags().contains(SendFlag.SIGNALED);
    return new SendWqe(wr, length, inline, signaled);
  }

  private static Payload captureInline(QpContext qp, ScatterGather memory, SendWr wr, int index) {
    if (wr instanceof SendWr.RdmaRead) {
      throw refusal(SEND, index, "a READ cannot be inline");
    }
    long length = ScatterGather.lengthOf(wr.sgList());
    int limit = qp.setup().cap().maxInlineData();
    if (length > limit) {
      throw refusal(SEND, index, length + " bytes inline are more than the limit of " + limit);
    }
    // In C inline data is read through a plain pointer; here only registered memory has addresses.
    MemoryFault fault = memory.faultOf(wr.sgList(), qp.domain(), new MemoryRange(0, length), null);
    if (fault != null) {
      throw refusal(SEND, index, "inline data cannot be read: " + fault.text());
    }
    return memory.gather(wr.sgList(), 0, (int) length).copy();
  }

  /**
   * Checks and flattens a receive.
   *
   * @param index its position in the list, for the refusal
   */
  public static RecvWqe receive(QpContext qp, RecvWr wr, int index) {
    if (qp.state() == QpState.RESET) {
      throw refusal(RECV, index, "receives are not accepted in state RESET");
    }
    if (qp.receiveQueue().isFull()) {
      throw full(RECV, index, "receive queue", qp.receiveQueue().capacity());
    }
    checkSges(RECV, wr.sgList(), qp.setup().cap().maxRecvSge(), index);
    return new RecvWqe(wr.wrId(), List.copyOf(wr.sgList()), ScatterGather.lengthOf(wr.sgList()));
  }

  private static void checkSges(String verb, List<Sge> sges, int limit, int index) {
    if (sges.size() > limit) {
      throw refusal(
          verb, index, sges.size() + " scatter/gather entries are more than the limit of " + limit);
    }
    for (int i = 0; i < sges.size(); i++) {
      if (sges.get(i).length() < 0) {
        throw refusal(
            verb, index, "entry " + i + " has length " + sges.get(i).length() + ", below 0");
      }
    }
  }

  private static BadWorkRequestException refusal(String verb, int index, String message) {
    return new BadWorkRequestException(Errno.EINVAL, verb, index, message);
  }

  private static BadWorkRequestException full(String verb, int index, String queue, int capacity) {
    return new BadWorkRequestException(
        Errno.ENOMEM, verb, index, "the " + queue + " is full: it holds " + capacity);
  }
}
