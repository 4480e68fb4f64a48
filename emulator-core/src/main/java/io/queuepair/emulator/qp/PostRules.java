package io.queuepair.emulator.qp;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flush;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.Tso;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code ibv_post_send} and {@code ibv_post_recv} check before they accept a request, and the
 * errno of each refusal. Keys and addresses are not among it: they are checked when the work runs.
 */
public final class PostRules {
  private static final String SEND = "ibv_post_send";
  private static final String RECV = "ibv_post_recv";
  private static final String SRQ = "ibv_post_srq_recv";
  private static final long MAX_MESSAGE_BYTES = 1L << 31;
  private static final int ATOMIC_BYTES = 8;

  private static final Set<QpState> SENDING =
      EnumSet.of(QpState.RTS, QpState.SQD, QpState.SQE, QpState.ERR);

  private static final Set<WrOpcode> MAY_BE_INLINE =
      EnumSet.of(
          WrOpcode.SEND,
          WrOpcode.SEND_WITH_IMM,
          WrOpcode.SEND_WITH_INV,
          WrOpcode.RDMA_WRITE,
          WrOpcode.RDMA_WRITE_WITH_IMM,
          WrOpcode.ATOMIC_WRITE);

  private PostRules() {}

  /**
   * Checks and flattens a send.
   *
   * @param wr the operation itself, without address
   * @param address where it is addressed to, besides the peer of a connection
   * @param index its position in the list, for the refusal
   */
  public static SendWqe send(
      QpContext qp, ScatterGather memory, SendWr wr, SendWqe.Address address, int index) {
    if (!SENDING.contains(qp.state())) {
      throw refusal(SEND, index, "sends are not accepted in state " + qp.state());
    }
    Failure late = checkOperation(qp, wr, index);
    if (late == null) {
      checkAddress(qp, address, index);
    }
    if (qp.sendQueue().isFull()) {
      throw full(SEND, index, "send queue", qp.sendQueue().capacity());
    }
    checkSges(SEND, wr.sgList(), qp.setup().cap().maxSendSge(), index);
    long length = ScatterGather.lengthOf(wr.sgList());
    if (late == null) {
      checkLength(qp, wr, length, index);
      checkOffloads(qp, wr, length, index);
    }
    Payload inline = null;
    SendWr request = late == null && wr instanceof Tso tso ? OffloadRules.withOwnHeader(tso) : wr;
    if (wr.flags().contains(SendFlag.INLINE)) {
      boolean failsLate =
          qp.has(Quirk.INLINE_READS_FAIL_LATE) && !MAY_BE_INLINE.contains(wr.opcode());
      request = failsLate ? InlineReads.withoutMemory(wr) : wr;
      inline = failsLate ? null : captureInline(qp, memory, wr, index);
    }
    boolean signaled = qp.setup().sqSigAll() || wr.flags().contains(SendFlag.SIGNALED);
    SendWqe wqe = new SendWqe(request, address, new SendWqe.Content(length, inline), signaled);
    if (late != null) {
      wqe.doom(late);
    } else if (wqe.wantsResponse() && qp.attributes().maxRdAtomic() == 0) {
      throw refusal(
          SEND, index, "MAX_QP_RD_ATOMIC is 0, so no " + wr.opcode() + " could ever start");
    }
    return wqe;
  }

  /** Returns why the request will fail, if that is not to be said at once; otherwise null. */
  private static Failure checkOperation(QpContext qp, SendWr wr, int index) {
    boolean failsLate = qp.has(Quirk.WRONG_OPERATIONS_FAIL_LATE);
    boolean isOffered =
        OfferedOperations.of(qp.type()).contains(wr.opcode())
            && !(failsLate && OfferedOperations.isUnknownToLinux61(wr.opcode()));
    if (!isOffered && failsLate) {
      return new Failure(
          WcStatus.LOC_QP_OP_ERR, wr.opcode() + " is not an operation of type " + qp.type());
    }
    if (!isOffered) {
      String why =
          qp.type() == QpType.UC && wr.opcode() == WrOpcode.SEND_WITH_INV
              ? ": no opcode on the wire could carry it, though the man page lists it"
              : "";
      throw refusal(SEND, index, wr.opcode() + " is not an operation of type " + qp.type() + why);
    }
    return null;
  }

  private static void checkAddress(QpContext qp, SendWqe.Address address, int index) {
    boolean isDatagram = qp.type() == QpType.UD;
    if (isDatagram != (address.datagram() != null)) {
      throw refusal(
          SEND,
          index,
          isDatagram
              ? "type UD needs an address for every request"
              : "only type UD takes an address, not " + qp.type());
    }
    boolean isXrc = qp.type() == QpType.XRC_SEND;
    if (isXrc != (address.srqn() != 0)) {
      throw refusal(
          SEND,
          index,
          isXrc
              ? "type XRC_SEND needs the number of a shared receive queue for every request"
              : "type " + qp.type() + " does not address shared receive queues");
    }
  }

  private static void checkLength(QpContext qp, SendWr wr, long length, int index) {
    if (length > MAX_MESSAGE_BYTES) {
      throw refusal(SEND, index, "a message of " + length + " bytes is longer than 2^31");
    }
    boolean isEightBytes =
        switch (wr.opcode()) {
          case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, ATOMIC_WRITE -> true;
          case SEND,
              SEND_WITH_IMM,
              SEND_WITH_INV,
              RDMA_WRITE,
              RDMA_WRITE_WITH_IMM,
              RDMA_READ,
              FLUSH,
              LOCAL_INV,
              BIND_MW,
              TSO,
              DRIVER1 ->
              false;
        };
    boolean mayBeLonger = qp.has(Quirk.ATOMICS_CHECKED_EARLY);
    if (mayBeLonger && isEightBytes && isMisaligned(wr)) {
      throw refusal(SEND, index, "the address of an atomic is not a multiple of 8");
    }
    if (isEightBytes && (mayBeLonger ? length < ATOMIC_BYTES : length != ATOMIC_BYTES)) {
      throw refusal(SEND, index, wr.opcode() + " works on 8 bytes, but its entries hold " + length);
    }
    if (wr instanceof Flush flush) {
      checkFlush(flush, index);
    }
  }

  private static void checkOffloads(QpContext qp, SendWr wr, long length, int index) {
    Optional<String> refusal = OffloadRules.checksumRefusal(qp, wr);
    if (refusal.isEmpty() && wr instanceof Tso tso) {
      refusal = OffloadRules.segmentationRefusal(qp, tso, length);
    }
    if (refusal.isPresent()) {
      throw refusal(SEND, index, refusal.get());
    }
  }

  private static boolean isMisaligned(SendWr wr) {
    return wr instanceof SendWr.RemoteAccess remote && remote.remoteAddr() % ATOMIC_BYTES != 0;
  }

  private static void checkFlush(Flush flush, int index) {
    if (flush.placements().isEmpty()) {
      throw refusal(SEND, index, "a FLUSH needs at least one placement to wait for");
    }
    if (flush.length() >>> 32 != 0) {
      throw refusal(SEND, index, "a FLUSH of " + flush.length() + " bytes is not 0 to 2^32 - 1");
    }
  }

  private static Payload captureInline(QpContext qp, ScatterGather memory, SendWr wr, int index) {
    if (!MAY_BE_INLINE.contains(wr.opcode())) {
      throw refusal(SEND, index, wr.opcode() + " cannot be inline");
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
    if (qp.setup().srq() != null || qp.type() == QpType.XRC_RECV) {
      throw refusal(RECV, index, "receives come from a shared queue: post them there");
    }
    if (qp.type() == QpType.XRC_SEND) {
      throw refusal(RECV, index, "type XRC_SEND does not receive");
    }
    if (qp.receiveQueue().isFull()) {
      throw full(RECV, index, "receive queue", qp.receiveQueue().capacity());
    }
    checkSges(RECV, wr.sgList(), qp.setup().cap().maxRecvSge(), index);
    return flatten(wr);
  }

  /**
   * Checks and flattens a receive for a shared queue.
   *
   * @param index its position in the list, for the refusal
   */
  public static RecvWqe sharedReceive(SharedReceiveRing queue, RecvWr wr, int index) {
    if (queue.ring().isFull()) {
      throw full(SRQ, index, "shared receive queue", queue.ring().capacity());
    }
    checkSges(SRQ, wr.sgList(), queue.maxSge(), index);
    return flatten(wr);
  }

  private static RecvWqe flatten(RecvWr wr) {
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
