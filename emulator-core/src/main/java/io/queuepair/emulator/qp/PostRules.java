package io.queuepair.emulator.qp;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.qp.OfferedOperations.Operation;
import io.queuepair.emulator.qp.OfferedOperations.Setter;
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
  private static final String RECV = "ibv_post_recv";
  private static final String SRQ = "ibv_post_srq_recv";
  private static final long MAX_MESSAGE_BYTES = 1L << 31;
  private static final int ATOMIC_BYTES = 8;

  private static final Set<QpState> SENDING =
      EnumSet.of(QpState.RTS, QpState.SQD, QpState.SQE, QpState.ERR);

  private PostRules() {}

  /**
   * A send as it is posted.
   *
   * @param wr the operation itself, without address
   * @param address where it is addressed to, besides the peer of a connection
   * @param bytes its data, if that is given by value; otherwise null
   */
  public record Request(SendWr wr, SendWqe.Address address, Payload bytes) {
    long length() {
      return bytes == null ? ScatterGather.lengthOf(wr.sgList()) : bytes.length();
    }
  }

  /** Checks and flattens a send. */
  public static SendWqe send(
      QpContext qp, ScatterGather memory, Request request, RequestPlace place) {
    SendWr wr = request.wr();
    if (!SENDING.contains(qp.state())) {
      throw place.refusal("sends are not accepted in state " + qp.state());
    }
    Failure late = checkOperation(qp, wr, place);
    if (late == null) {
      checkAddress(qp, request, place);
    }
    checkRoom(qp, wr, place);
    String negative = negativeLength(wr.sgList());
    if (negative != null) {
      throw place.refusal(negative);
    }
    if (late == null) {
      checkLength(qp, wr, request.length(), place);
      checkOffloads(qp, wr, request.length(), place);
      wr = wr instanceof Tso tso ? OffloadRules.withOwnHeader(tso) : wr;
    }
    Payload inline = request.bytes();
    boolean isOfTheBuilder = wr.opcode() == WrOpcode.ATOMIC_WRITE;
    if (inline != null && !isOfTheBuilder) {
      checkInline(qp, wr, inline.length(), place);
    }
    if (wr.flags().contains(SendFlag.INLINE)) {
      boolean failsLate = qp.has(Quirk.INLINE_READS_FAIL_LATE) && !mayBeInline(wr);
      wr = failsLate ? InlineReads.withoutMemory(wr) : wr;
      inline = failsLate ? null : captureInline(qp, memory, wr, place);
    }
    boolean signaled = qp.setup().sqSigAll() || wr.flags().contains(SendFlag.SIGNALED);
    SendWqe.Content content = new SendWqe.Content(request.length(), inline);
    SendWqe wqe = new SendWqe(wr, request.address(), content, signaled);
    if (late != null) {
      wqe.doom(late);
    } else if (wqe.wantsResponse() && qp.attributes().maxRdAtomic() == 0) {
      throw place.refusal("MAX_QP_RD_ATOMIC is 0, so no " + wr.opcode() + " could ever start");
    }
    return wqe;
  }

  /** Returns why the request will fail, if that is not to be said at once; otherwise null. */
  private static Failure checkOperation(QpContext qp, SendWr wr, RequestPlace place) {
    boolean failsLate = qp.has(Quirk.WRONG_OPERATIONS_FAIL_LATE);
    boolean isOffered =
        OfferedOperations.has(qp.type(), wr.opcode())
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
      throw place.refusal(wr.opcode() + " is not an operation of type " + qp.type() + why);
    }
    return null;
  }

  private static void checkAddress(QpContext qp, Request request, RequestPlace place) {
    SendWqe.Address address = request.address();
    Set<Setter> needed = OfferedOperations.of(request.wr().opcode()).addressing(qp.type());
    boolean isDatagram = needed.contains(Setter.UD_ADDR);
    if (isDatagram != (address.datagram() != null)) {
      throw place.refusal(
          isDatagram
              ? "type UD needs an address for every request"
              : "only type UD takes an address, not " + qp.type());
    }
    boolean isXrc = qp.type() == QpType.XRC_SEND;
    boolean needsQueue = needed.contains(Setter.XRC_SRQN);
    if (isXrc ? needsQueue && address.srqn() == 0 : address.srqn() != 0) {
      throw place.refusal(
          isXrc
              ? "type XRC_SEND needs the number of a shared receive queue for every request"
              : "type " + qp.type() + " does not address shared receive queues");
    }
  }

  private static void checkLength(QpContext qp, SendWr wr, long length, RequestPlace place) {
    if (length > MAX_MESSAGE_BYTES) {
      throw place.refusal("a message of " + length + " bytes is longer than 2^31");
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
      throw place.refusal("the address of an atomic is not a multiple of 8");
    }
    if (isEightBytes && (mayBeLonger ? length < ATOMIC_BYTES : length != ATOMIC_BYTES)) {
      throw place.refusal(wr.opcode() + " works on 8 bytes, but its entries hold " + length);
    }
    if (wr instanceof Flush flush) {
      checkFlush(flush, place);
    }
  }

  private static void checkOffloads(QpContext qp, SendWr wr, long length, RequestPlace place) {
    Optional<String> refusal = OffloadRules.checksumRefusal(qp, wr);
    if (refusal.isEmpty() && wr instanceof Tso tso) {
      refusal = OffloadRules.segmentationRefusal(qp, tso, length);
    }
    if (refusal.isPresent()) {
      throw place.refusal(refusal.get());
    }
  }

  private static boolean isMisaligned(SendWr wr) {
    return wr instanceof SendWr.RemoteAccess remote && remote.remoteAddr() % ATOMIC_BYTES != 0;
  }

  private static void checkFlush(Flush flush, RequestPlace place) {
    if (flush.placements().isEmpty()) {
      throw place.refusal("a FLUSH needs at least one placement to wait for");
    }
    if (flush.length() >>> 32 != 0) {
      throw place.refusal("a FLUSH of " + flush.length() + " bytes is not 0 to 2^32 - 1");
    }
  }

  private static boolean mayBeInline(SendWr wr) {
    Operation operation = OfferedOperations.of(wr.opcode());
    return operation != null && operation.mayBeInline();
  }

  private static void checkInline(QpContext qp, SendWr wr, long length, RequestPlace place) {
    if (!mayBeInline(wr)) {
      throw place.refusal(wr.opcode() + " cannot be inline");
    }
    int limit = qp.setup().cap().maxInlineData();
    if (length > limit) {
      throw place.noRoom(
          qp, Errno.EINVAL, length + " bytes inline are more than the limit of " + limit);
    }
  }

  private static Payload captureInline(
      QpContext qp, ScatterGather memory, SendWr wr, RequestPlace place) {
    long length = ScatterGather.lengthOf(wr.sgList());
    checkInline(qp, wr, length, place);
    // In C inline data is read through a plain pointer; here only registered memory has addresses.
    MemoryFault fault = memory.faultOf(wr.sgList(), qp.domain(), new MemoryRange(0, length), null);
    if (fault != null) {
      throw place.refusal("inline data cannot be read: " + fault.text());
    }
    return memory.gather(wr.sgList(), 0, (int) length).copy();
  }

  private static void checkRoom(QpContext qp, SendWr wr, RequestPlace place) {
    int capacity = qp.sendQueue().capacity();
    if (qp.sendQueue().size() + place.ahead() >= capacity) {
      throw place.noRoom(qp, Errno.ENOMEM, "the send queue is full: it holds " + capacity);
    }
    int limit = qp.setup().cap().maxSendSge();
    if (wr.sgList().size() > limit) {
      throw place.noRoom(qp, Errno.EINVAL, tooMany(wr.sgList(), limit));
    }
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
      throw refusal(verb, index, tooMany(sges, limit));
    }
    String negative = negativeLength(sges);
    if (negative != null) {
      throw refusal(verb, index, negative);
    }
  }

  private static String tooMany(List<Sge> sges, int limit) {
    return sges.size() + " scatter/gather entries are more than the limit of " + limit;
  }

  /** What is wrong with the length of an entry, in words, or null. */
  private static String negativeLength(List<Sge> sges) {
    for (int i = 0; i < sges.size(); i++) {
      if (sges.get(i).length() < 0) {
        return "entry " + i + " has length " + sges.get(i).length() + ", below 0";
      }
    }
    return null;
  }

  private static BadWorkRequestException refusal(String verb, int index, String message) {
    return new BadWorkRequestException(Errno.EINVAL, verb, index, message);
  }

  private static BadWorkRequestException full(String verb, int index, String queue, int capacity) {
    return new BadWorkRequestException(
        Errno.ENOMEM, verb, index, "the " + queue + " is full: it holds " + capacity);
  }
}
