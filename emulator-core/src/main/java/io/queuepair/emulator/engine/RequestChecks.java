// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Feth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.SelectivityLevel;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks of a request packet whose PSN is the expected one, in the order of the specification:
 * opcode sequence, operation enabled, resources, length, R_Key, receive memory. The first check
 * that fails decides.
 */
final class RequestChecks {
  private static final long MAX_MESSAGE_BYTES = 1L << 31;
  private static final int ATOMIC_BYTES = 8;

  private final QpContext qp;
  private final IncomingMessage message;
  private final ResponseQueue responseQueue;
  private final MemoryTable memory;
  private final ScatterGather scatterGather;

  /** Memory rule that the last request broke, or null. */
  private @Nullable MemoryFault fault;

  /** Values that decided the last refusal, in words, or null. */
  private @Nullable String detail;

  RequestChecks(
      QpContext qp, IncomingMessage message, ResponseQueue responseQueue, MemoryTable memory) {
    this.qp = qp;
    this.message = message;
    this.responseQueue = responseQueue;
    this.memory = memory;
    scatterGather = memory.scatterGather();
  }

  /**
   * Checks opcode sequence, operation enabled and resources of a request.
   *
   * @param receiveQueue receive queue of the message; null if the packet names a shared receive
   *     queue that does not exist
   */
  RequestStatus checkResources(Packet packet, @Nullable ReceiveQueueRef receiveQueue) {
    // Rule responder.xrc-srq: NO_SUCH_SRQ: an XRC packet names a shared receive queue of the domain
    // of its target.
    // Source: IBTA vol. 1, annex A14
    // Test: XrcSharingTest.aTargetDoesNotReachAQueueOfAnotherDomain
    fault = null;
    detail = null;
    Opcode opcode = packet.opcode();
    if (!isInSequence(opcode)) {
      return refused(RequestStatus.BAD_OPCODE_SEQUENCE, messageInProgress());
    }
    if (!isEnabled(packet)) {
      String granted = "it has " + qp.attributes().accessFlags();
      return refused(RequestStatus.OPERATION_NOT_ENABLED, granted);
    }
    if (receiveQueue == null) {
      return refused(RequestStatus.NO_SUCH_SRQ, "it is " + packet.xrcEth().srqn());
    }
    return resources(opcode, receiveQueue);
  }

  /**
   * Checks length, R_Key and receive memory of a request that passed {@link #checkResources}. Its
   * message has begun and holds the receive that it needs.
   */
  RequestStatus checkAccess(Packet packet, ReceiveQueueRef receiveQueue) {
    return switch (packet.opcode().operation()) {
      case SEND -> send(packet);
      case RDMA_WRITE -> write(packet);
      case RDMA_READ_REQUEST -> read(packet, receiveQueue);
      case COMPARE_SWAP, FETCH_ADD -> atomic(packet, receiveQueue);
      case FLUSH -> flush(packet, receiveQueue);
      case ATOMIC_WRITE -> atomicWrite(packet, receiveQueue);
      case RDMA_READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, RESYNC, CONGESTION_NOTIFICATION ->
          throw new AssertionError(packet.opcode() + " is no request");
    };
  }

  @Nullable MemoryFault fault() {
    return fault;
  }

  /** Last refusal in words: the rule, and the values that break it. */
  String reason(RequestStatus requestStatus) {
    return detail == null ? requestStatus.text() : requestStatus.text() + ": " + detail;
  }

  private RequestStatus refused(RequestStatus requestStatus, String why) {
    detail = why;
    return requestStatus;
  }

  private String messageInProgress() {
    return message.isInProgress() ? "a " + message.operation() + " has begun" : "none has begun";
  }

  private boolean isInSequence(Opcode opcode) {
    // Rule responder.opcode-sequence: BAD_OPCODE_SEQUENCE: a message starts outside another and
    // continues its own operation.
    // Source: rxe_resp.c check_op_seq
    // Test: ResponderRefusalTest.refusesToGoOnWithWhatNeverBegan
    if (opcode.position().startsMessage()) {
      return !message.isInProgress();
    }
    return message.operation() == opcode.operation();
  }

  private boolean isEnabled(Packet packet) {
    // Rule responder.access-flags: OPERATION_NOT_ENABLED: the access flags of the queue pair allow
    // the operation.
    // Source: rxe_resp.c check_op_valid
    // Test: ResponderRefusalTest.refusesAWriteWithoutTheRightOfTheQueuePair
    Operation operation = packet.opcode().operation();
    return operation == Operation.FLUSH
        ? rightsOf(packet.feth()).stream().allMatch(this::grants)
        : operation.right() == null || grants(operation.right());
  }

  /** Access flags that a FLUSH needs on queue pair and memory, one per placement type. */
  private static Set<AccessFlag> rightsOf(Feth feth) {
    Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
    if ((feth.placement() & PlacementType.GLOBAL.code()) != 0) {
      access.add(AccessFlag.FLUSH_GLOBAL);
    }
    if ((feth.placement() & PlacementType.PERSISTENT.code()) != 0) {
      access.add(AccessFlag.FLUSH_PERSISTENT);
    }
    return access;
  }

  private boolean grants(AccessFlag access) {
    return qp.attributes().accessFlags().contains(access);
  }

  private RequestStatus resources(Opcode opcode, ReceiveQueueRef receiveQueue) {
    // Rule responder.receive: RECEIVER_NOT_READY: a packet that needs a receive and finds none is
    // answered with an RNR NAK.
    // Source: IBTA vol. 1, 9.7.5.2.8; rxe_resp.c check_resource
    // Test: ResponderRefusalTest.refusesTheFirstPacketOfALongSend
    // Rule responder.outstanding-reads: TOO_MANY_OUTSTANDING: no more READs and atomics at once
    // than max_dest_rd_atomic.
    // Source: rxe_resp.c check_resource
    // Test: ResponderRefusalTest.refusesMoreReadsAtOnceThanItServes
    if (!opcode.operation().isSegmented()) {
      // A repeated READ does not count: its first response may have been late, not lost.
      int limit = qp.attributes().maxDestRdAtomic();
      boolean isUnlimited = limit > 0 && qp.has(Quirk.READS_NEVER_TOO_MANY);
      return isUnlimited || responseQueue.outstanding() < limit
          ? RequestStatus.ACCEPT
          : refused(RequestStatus.TOO_MANY_OUTSTANDING, "that is " + limit);
    }
    boolean needsReceive = opcode.takesReceive() && message.receive() == null;
    return needsReceive && !receiveQueue.hasNext()
        ? RequestStatus.RECEIVER_NOT_READY
        : RequestStatus.ACCEPT;
  }

  private RequestStatus send(Packet packet) {
    // Rule responder.receive-memory: RECEIVE_PROTECTION: the memory of the receive may be written
    // locally.
    // Source: rxe_resp.c send_data_in; rxe_mr.c copy_data
    // Test: ResponderMemoryTest.refusesAReceiveWithABadKey
    // Rule responder.message-length: MESSAGE_TOO_LONG: a SEND fits the receive that was posted.
    // Source: rxe_resp.c rxe_resp_check_length
    // Test: ResponderRefusalTest.tellsBothSidesThatASendIsTooLongForTheReceive
    int bytes = packet.payloadBytes();
    long messageBytes = message.placedBytes() + bytes;
    if (!fitsPathMtu(packet) || messageBytes > MAX_MESSAGE_BYTES) {
      return refused(RequestStatus.BAD_LENGTH, atPathMtu(bytes));
    }
    long room = message.receive().lengthBytes();
    if (messageBytes > room) {
      String atLeast = packet.opcode().position().endsMessage() ? "" : "at least ";
      String why = atLeast + messageBytes + " bytes do not fit a receive of " + room;
      return refused(RequestStatus.MESSAGE_TOO_LONG, why);
    }
    SgeArray sges = message.receive().sges();
    int domain = message.receiveQueue().receiveDomain();
    fault =
        scatterGather.faultOf(sges, domain, message.placedBytes(), bytes, AccessFlag.LOCAL_WRITE);
    if (fault != null) {
      String why =
          scatterGather.reasonOf(
              sges, domain, message.placedBytes(), bytes, AccessFlag.LOCAL_WRITE);
      return refused(RequestStatus.RECEIVE_PROTECTION, why);
    }
    return packet.opcode().hasInvalidate() ? invalidate(packet) : RequestStatus.ACCEPT;
  }

  private RequestStatus invalidate(Packet packet) {
    // Rule responder.invalidate: CANNOT_INVALIDATE: the key that a SEND names may be invalidated.
    // Source: rxe_resp.c invalidate_rkey
    // Test: ResponderWindowTest.aKeyThatNamesNothingIsNotInvalidated
    int rkey = packet.ieth().rkey();
    String why = memory.invalidationRefusal(rkey, message.receiveQueue().accessor());
    return why == null
        ? RequestStatus.ACCEPT
        : refused(RequestStatus.CANNOT_INVALIDATE, String.format("0x%08x: %s", rkey, why));
  }

  private boolean fitsPathMtu(Packet packet) {
    // Rule responder.length: BAD_LENGTH: the payload fits opcode, path MTU and the announced
    // length.
    // Source: rxe_resp.c rxe_resp_check_length
    // Test: ResponderRefusalTest.refusesAnOnlyPacketAboveThePathMtu
    return packet.opcode().payloadRule().allows(packet.payloadBytes(), qp.attributes().mtuBytes());
  }

  private String atPathMtu(int bytes) {
    return bytes + " bytes at a path MTU of " + qp.attributes().mtuBytes();
  }

  private RequestStatus write(Packet packet) {
    MemoryRange targetRange = message.remainingTarget();
    int bytes = packet.payloadBytes();
    boolean isRest = packet.opcode().position().endsMessage();
    boolean fitsLength = isRest ? bytes == targetRange.length() : bytes < targetRange.length();
    if (!fitsPathMtu(packet) || !fitsLength || targetRange.length() > MAX_MESSAGE_BYTES) {
      String missing = ", of the " + targetRange.length() + " that are still to come";
      return refused(RequestStatus.BAD_LENGTH, atPathMtu(bytes) + missing);
    }
    return remoteAccess(packet.opcode(), message.rkey(), targetRange, message.receiveQueue());
  }

  private RequestStatus read(Packet packet, ReceiveQueueRef receiveQueue) {
    Reth reth = packet.reth();
    if (reth.dmaLength() > MAX_MESSAGE_BYTES) {
      return refused(RequestStatus.BAD_LENGTH, reth.dmaLength() + " bytes are asked for");
    }
    MemoryRange range = new MemoryRange(reth.virtualAddress(), reth.dmaLength());
    return remoteAccess(packet.opcode(), reth.rkey(), range, receiveQueue);
  }

  private RequestStatus atomic(Packet packet, ReceiveQueueRef receiveQueue) {
    // Rule responder.atomic-alignment: MISALIGNED_ATOMIC: the address of an atomic is a multiple of
    // 8.
    // Source: rxe_mr.c rxe_mr_do_atomic_op
    // Test: ResponderRefusalTest.refusesAnAtomicWhoseAddressIsNoMultipleOfEight
    AtomicEth atomic = packet.atomicEth();
    if (atomic.virtualAddress() % ATOMIC_BYTES != 0) {
      return misaligned(atomic.virtualAddress());
    }
    MemoryRange range = new MemoryRange(atomic.virtualAddress(), ATOMIC_BYTES);
    return remoteAccess(packet.opcode(), atomic.rkey(), range, receiveQueue);
  }

  private RequestStatus atomicWrite(Packet packet, ReceiveQueueRef receiveQueue) {
    Reth reth = packet.reth();
    if (reth.dmaLength() != ATOMIC_BYTES || packet.payloadBytes() != ATOMIC_BYTES) {
      String why = packet.payloadBytes() + " bytes, of " + reth.dmaLength() + ", and not 8";
      return refused(RequestStatus.BAD_LENGTH, why);
    }
    if (reth.virtualAddress() % ATOMIC_BYTES != 0) {
      return misaligned(reth.virtualAddress());
    }
    MemoryRange range = new MemoryRange(reth.virtualAddress(), ATOMIC_BYTES);
    return remoteAccess(packet.opcode(), reth.rkey(), range, receiveQueue);
  }

  private RequestStatus misaligned(long addr) {
    return refused(RequestStatus.MISALIGNED_ATOMIC, "it is 0x" + Long.toHexString(addr));
  }

  private RequestStatus flush(Packet packet, ReceiveQueueRef receiveQueue) {
    Reth reth = packet.reth();
    boolean isOfAll = packet.feth().selectivity() == SelectivityLevel.MR.code();
    MemoryRange range = isOfAll ? null : new MemoryRange(reth.virtualAddress(), reth.dmaLength());
    for (AccessFlag access : rightsOf(packet.feth())) {
      fault =
          isOfAll
              ? memory.faultOf(reth.rkey(), receiveQueue.accessor(), access)
              : memory.faultOf(reth.rkey(), receiveQueue.accessor(), range, access);
      if (fault != null) {
        String why = memory.reasonOf(fault, reth.rkey(), range, access);
        return refused(RequestStatus.REMOTE_ACCESS, why);
      }
    }
    return RequestStatus.ACCEPT;
  }

  /** Checks a remote access; one of zero length passes with any key and address. */
  private RequestStatus remoteAccess(
      Opcode opcode, int rkey, MemoryRange range, ReceiveQueueRef receiveQueue) {
    // Rule responder.remote-access: REMOTE_ACCESS: key, protection domain, right and range of
    // remote memory; not for 0 bytes.
    // Source: rxe_resp.c check_rkey
    // Test: ResponderMemoryTest.refusesAKeyThatWasNeverGiven
    if (range.length() == 0) {
      return RequestStatus.ACCEPT;
    }
    AccessFlag access = opcode.operation().right();
    fault = memory.faultOf(rkey, receiveQueue.accessor(), range, access);
    return fault == null
        ? RequestStatus.ACCEPT
        : refused(RequestStatus.REMOTE_ACCESS, memory.reasonOf(fault, rkey, range, access));
  }
}
