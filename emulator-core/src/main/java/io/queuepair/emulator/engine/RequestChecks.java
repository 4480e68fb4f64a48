package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.Sge;
import java.util.List;

/**
 * The checks of a request packet whose PSN is the expected one, in the order of the specification:
 * opcode sequence, operation enabled, resources, length, R_Key, receive memory. The first that
 * fails decides.
 */
final class RequestChecks {
  private static final long MAX_MESSAGE_BYTES = 1L << 31;
  private static final int ATOMIC_BYTES = 8;

  private final QpContext qp;
  private final InboundMessage message;
  private final ReplyQueue replies;
  private final MemoryTable memory;
  private final ScatterGather scatterGather;

  /** Which memory rule made the last verdict, or null. */
  private MemoryFault fault;

  /** Why the last verdict refused an invalidation, in words, or null. */
  private String detail;

  RequestChecks(QpContext qp, InboundMessage message, ReplyQueue replies, MemoryTable memory) {
    this.qp = qp;
    this.message = message;
    this.replies = replies;
    this.memory = memory;
    scatterGather = memory.scatterGather();
  }

  /**
   * Decides; puts a receive to use if the packet needs one.
   *
   * @param source where that comes from; null if the packet names a shared queue that is not there
   */
  Verdict verdict(Packet packet, ReceiveSource source) {
    fault = null;
    detail = null;
    Opcode opcode = packet.opcode();
    if (!isInSequence(opcode)) {
      return Verdict.BAD_OPCODE_SEQUENCE;
    }
    if (!isEnabled(packet)) {
      return Verdict.OPERATION_NOT_ENABLED;
    }
    if (source == null) {
      return Verdict.NO_SUCH_SRQ;
    }
    Verdict resources = resources(opcode, source);
    if (resources != Verdict.ACCEPT) {
      return resources;
    }
    if (opcode.position().startsMessage() && isMessage(opcode.operation())) {
      message.begin(opcode.operation(), source);
    }
    return switch (opcode.operation()) {
      case SEND -> send(packet);
      case RDMA_WRITE -> write(packet);
      case RDMA_READ_REQUEST -> read(packet.reth(), source);
      case COMPARE_SWAP, FETCH_ADD -> atomic(packet.atomicEth(), source);
      case FLUSH -> flush(packet, source);
      case ATOMIC_WRITE -> atomicWrite(packet, source);
      case RDMA_READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, RESYNC, CONGESTION_NOTIFICATION ->
          throw new AssertionError(opcode + " is no request");
    };
  }

  /** Which memory rule made the last verdict, or null. */
  MemoryFault fault() {
    return fault;
  }

  /** The last verdict in words: the rule, and for memory and keys what is wrong with them. */
  String reason(Verdict verdict) {
    String why = fault == null ? detail : fault.text();
    return why == null ? verdict.text() : verdict.text() + ": " + why;
  }

  /** Whether it has a beginning and an end: the others are one packet each. */
  private static boolean isMessage(Operation operation) {
    return operation == Operation.SEND || operation == Operation.RDMA_WRITE;
  }

  private boolean isInSequence(Opcode opcode) {
    if (opcode.position().startsMessage()) {
      return !message.isInProgress();
    }
    return message.operation() == opcode.operation();
  }

  private boolean isEnabled(Packet packet) {
    return switch (packet.opcode().operation()) {
      case SEND -> true;
      case RDMA_WRITE, ATOMIC_WRITE -> grants(AccessFlag.REMOTE_WRITE);
      case RDMA_READ_REQUEST -> grants(AccessFlag.REMOTE_READ);
      case COMPARE_SWAP, FETCH_ADD -> grants(AccessFlag.REMOTE_ATOMIC);
      case FLUSH -> FlushRights.of(packet.feth()).stream().allMatch(this::grants);
      case RDMA_READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, RESYNC, CONGESTION_NOTIFICATION ->
          false;
    };
  }

  private boolean grants(AccessFlag right) {
    return qp.attributes().accessFlags().contains(right);
  }

  private Verdict resources(Opcode opcode, ReceiveSource source) {
    if (!isMessage(opcode.operation())) {
      // A READ answered again does not count: its answer may have been late, not lost.
      int limit = qp.attributes().maxDestRdAtomic();
      boolean isUnlimited = limit > 0 && qp.has(Quirk.READS_NEVER_TOO_MANY);
      return isUnlimited || replies.outstanding() < limit
          ? Verdict.ACCEPT
          : Verdict.TOO_MANY_OUTSTANDING;
    }
    boolean needsReceive =
        opcode.operation() == Operation.SEND
            ? opcode.position().startsMessage()
            : opcode.hasImmediate();
    if (!needsReceive || message.receive() != null) {
      return Verdict.ACCEPT;
    }
    RecvWqe receive = source.take();
    if (receive == null) {
      return Verdict.RECEIVER_NOT_READY;
    }
    message.use(receive, source);
    return Verdict.ACCEPT;
  }

  private Verdict send(Packet packet) {
    int bytes = packet.payloadBytes();
    if (!fitsPosition(packet.opcode(), bytes)
        || message.placedBytes() + bytes > MAX_MESSAGE_BYTES) {
      return Verdict.BAD_LENGTH;
    }
    if (message.placedBytes() + bytes > message.receive().lengthBytes()) {
      return Verdict.MESSAGE_TOO_LONG;
    }
    List<Sge> sges = message.receive().sges();
    int domain = message.source().receiveDomain();
    fault =
        scatterGather.faultOf(sges, domain, message.placedBytes(), bytes, AccessFlag.LOCAL_WRITE);
    if (fault != null) {
      return Verdict.RECEIVE_PROTECTION;
    }
    return packet.opcode().hasInvalidate() ? invalidate(packet) : Verdict.ACCEPT;
  }

  private Verdict invalidate(Packet packet) {
    int rkey = packet.ieth().rkey();
    detail = memory.invalidationRefusal(rkey, message.source().accessor());
    return detail == null ? Verdict.ACCEPT : Verdict.CANNOT_INVALIDATE;
  }

  private boolean fitsPosition(Opcode opcode, int bytes) {
    int mtu = qp.attributes().mtuBytes();
    return switch (opcode.position()) {
      case FIRST, MIDDLE -> bytes == mtu;
      case LAST -> bytes >= 1 && bytes <= mtu;
      case ONLY -> bytes <= mtu;
    };
  }

  private Verdict write(Packet packet) {
    if (packet.opcode().position().startsMessage()) {
      message.target(packet.reth());
    }
    MemoryRange target = message.remainingTarget();
    int bytes = packet.payloadBytes();
    boolean isRest = packet.opcode().position().endsMessage();
    boolean fitsLength = isRest ? bytes == target.length() : bytes < target.length();
    if (!fitsPosition(packet.opcode(), bytes)
        || !fitsLength
        || target.length() > MAX_MESSAGE_BYTES) {
      return Verdict.BAD_LENGTH;
    }
    return remoteAccess(message.rkey(), target, AccessFlag.REMOTE_WRITE, message.source());
  }

  private Verdict read(Reth reth, ReceiveSource source) {
    if (reth.dmaLength() > MAX_MESSAGE_BYTES) {
      return Verdict.BAD_LENGTH;
    }
    MemoryRange range = new MemoryRange(reth.virtualAddress(), reth.dmaLength());
    return remoteAccess(reth.rkey(), range, AccessFlag.REMOTE_READ, source);
  }

  private Verdict atomic(AtomicEth atomic, ReceiveSource source) {
    if (atomic.virtualAddress() % ATOMIC_BYTES != 0) {
      return Verdict.MISALIGNED_ATOMIC;
    }
    MemoryRange range = new MemoryRange(atomic.virtualAddress(), ATOMIC_BYTES);
    return remoteAccess(atomic.rkey(), range, AccessFlag.REMOTE_ATOMIC, source);
  }

  private Verdict atomicWrite(Packet packet, ReceiveSource source) {
    Reth reth = packet.reth();
    if (reth.dmaLength() != ATOMIC_BYTES || packet.payloadBytes() != ATOMIC_BYTES) {
      return Verdict.BAD_LENGTH;
    }
    if (reth.virtualAddress() % ATOMIC_BYTES != 0) {
      return Verdict.MISALIGNED_ATOMIC;
    }
    MemoryRange range = new MemoryRange(reth.virtualAddress(), ATOMIC_BYTES);
    return remoteAccess(reth.rkey(), range, AccessFlag.REMOTE_WRITE, source);
  }

  private Verdict flush(Packet packet, ReceiveSource source) {
    Reth reth = packet.reth();
    for (AccessFlag right : FlushRights.of(packet.feth())) {
      fault =
          packet.feth().selectivity() == SelectivityLevel.MR.code()
              ? memory.faultOf(reth.rkey(), source.accessor(), right)
              : memory.faultOf(
                  reth.rkey(),
                  source.accessor(),
                  new MemoryRange(reth.virtualAddress(), reth.dmaLength()),
                  right);
      if (fault != null) {
        return Verdict.REMOTE_ACCESS;
      }
    }
    return Verdict.ACCEPT;
  }

  /** A zero-length access is not checked at all: any key and address will do. */
  private Verdict remoteAccess(
      int rkey, MemoryRange range, AccessFlag right, ReceiveSource source) {
    if (range.length() == 0) {
      return Verdict.ACCEPT;
    }
    fault = memory.faultOf(rkey, source.accessor(), range, right);
    return fault == null ? Verdict.ACCEPT : Verdict.REMOTE_ACCESS;
  }
}
