package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.AccessFlag;

/**
 * The checks of a request packet whose PSN is the expected one, in the order of the specification:
 * opcode sequence, operation enabled, resources, length, R_Key, receive memory. The first that
 * fails decides.
 */
final class RequestChecks {
  private static final long MAX_MESSAGE_BYTES = 1L << 31;

  private final QpContext qp;
  private final InboundMessage message;
  private final ReplyQueue replies;
  private final MemoryTable memory;
  private final ScatterGather scatterGather;

  RequestChecks(QpContext qp, InboundMessage message, ReplyQueue replies, MemoryTable memory) {
    this.qp = qp;
    this.message = message;
    this.replies = replies;
    this.memory = memory;
    scatterGather = new ScatterGather(memory);
  }

  /** Decides; puts a receive to use if the packet needs one. */
  Verdict verdict(Packet packet) {
    Opcode opcode = packet.opcode();
    if (!isInSequence(opcode)) {
      return Verdict.BAD_OPCODE_SEQUENCE;
    }
    if (!isEnabled(opcode)) {
      return Verdict.OPERATION_NOT_ENABLED;
    }
    Verdict resources = resources(opcode);
    if (resources != Verdict.ACCEPT) {
      return resources;
    }
    if (opcode.position().startsMessage() && opcode.operation() != Operation.RDMA_READ_REQUEST) {
      message.begin(opcode.operation());
    }
    return switch (opcode.operation()) {
      case SEND -> send(packet);
      case RDMA_WRITE -> write(packet);
      case RDMA_READ_REQUEST -> read(packet.reth());
      default -> throw new AssertionError(opcode + " is not enabled");
    };
  }

  private boolean isInSequence(Opcode opcode) {
    if (opcode.position().startsMessage()) {
      return !message.isInProgress();
    }
    return message.operation() == opcode.operation();
  }

  private boolean isEnabled(Opcode opcode) {
    return switch (opcode.operation()) {
      case SEND -> !opcode.hasInvalidate();
      case RDMA_WRITE -> qp.attributes().accessFlags().contains(AccessFlag.REMOTE_WRITE);
      case RDMA_READ_REQUEST -> qp.attributes().accessFlags().contains(AccessFlag.REMOTE_READ);
      default -> false;
    };
  }

  private Verdict resources(Opcode opcode) {
    if (opcode.operation() == Operation.RDMA_READ_REQUEST) {
      // A READ answered again does not count: its answer may have been late, not lost.
      return replies.newReads() < qp.attributes().maxDestRdAtomic()
          ? Verdict.ACCEPT
          : Verdict.TOO_MANY_READS;
    }
    boolean needsReceive =
        opcode.operation() == Operation.SEND
            ? opcode.position().startsMessage()
            : opcode.hasImmediate();
    if (!needsReceive) {
      return Verdict.ACCEPT;
    }
    if (qp.receiveQueue().isEmpty()) {
      return Verdict.RECEIVER_NOT_READY;
    }
    message.use(qp.receiveQueue().poll());
    return Verdict.ACCEPT;
  }

  private Verdict send(Packet packet) {
    int bytes = packet.payload().length();
    if (!fitsPosition(packet.opcode(), bytes)
        || message.placedBytes() + bytes > MAX_MESSAGE_BYTES) {
      return Verdict.BAD_LENGTH;
    }
    if (message.placedBytes() + bytes > message.receive().lengthBytes()) {
      return Verdict.MESSAGE_TOO_LONG;
    }
    MemoryRange range = new MemoryRange(message.placedBytes(), bytes);
    MemoryFault fault =
        scatterGather.faultOf(message.receive().sges(), qp.domain(), range, AccessFlag.LOCAL_WRITE);
    return fault == null ? Verdict.ACCEPT : Verdict.RECEIVE_PROTECTION;
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
    int bytes = packet.payload().length();
    boolean isRest = packet.opcode().position().endsMessage();
    boolean fitsLength = isRest ? bytes == target.length() : bytes < target.length();
    if (!fitsPosition(packet.opcode(), bytes)
        || !fitsLength
        || target.length() > MAX_MESSAGE_BYTES) {
      return Verdict.BAD_LENGTH;
    }
    return remoteAccess(message.rkey(), target, AccessFlag.REMOTE_WRITE);
  }

  private Verdict read(Reth reth) {
    if (reth.dmaLength() > MAX_MESSAGE_BYTES) {
      return Verdict.BAD_LENGTH;
    }
    MemoryRange range = new MemoryRange(reth.virtualAddress(), reth.dmaLength());
    return remoteAccess(reth.rkey(), range, AccessFlag.REMOTE_READ);
  }

  /** A zero-length access is not checked at all: any key and address will do. */
  private Verdict remoteAccess(int rkey, MemoryRange range, AccessFlag right) {
    if (range.length() == 0) {
      return Verdict.ACCEPT;
    }
    return memory.faultOf(rkey, qp.domain(), range, right) == null
        ? Verdict.ACCEPT
        : Verdict.REMOTE_ACCESS;
  }
}
