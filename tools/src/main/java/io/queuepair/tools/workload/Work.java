package io.queuepair.tools.workload;

import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.Set;

/**
 * A work request before it has memory: what a workload says of it.
 *
 * @param opcode the operation
 * @param bytes length of the message; 8 for atomics
 * @param pieces into how many scatter/gather entries it is cut, at least 1
 * @param flags send flags
 * @param flaw what is wrong with it
 * @param operand where its data comes from, what an atomic works with, its immediate
 * @param usesWindow whether it goes through the memory window of the peer, if that is open
 */
public record Work(
    WrOpcode opcode,
    int bytes,
    int pieces,
    Set<SendFlag> flags,
    Flaw flaw,
    int operand,
    boolean usesWindow) {
  /**
   * A request that goes to memory itself.
   *
   * @param opcode the operation
   * @param bytes length of the message; 8 for atomics
   * @param pieces into how many scatter/gather entries it is cut, at least 1
   * @param flags send flags
   * @param flaw what is wrong with it
   * @param operand where its data comes from, what an atomic works with, its immediate
   */
  public Work(WrOpcode opcode, int bytes, int pieces, Set<SendFlag> flags, Flaw flaw, int operand) {
    this(opcode, bytes, pieces, flags, flaw, operand, false);
  }

  /**
   * The same through the memory window of the peer, or not.
   *
   * @param isUsed whether through the window
   * @return a changed copy
   */
  public Work withWindow(boolean isUsed) {
    return new Work(opcode, bytes, pieces, flags, flaw, operand, isUsed);
  }

  /**
   * The same with another length and flaw.
   *
   * @param otherBytes length of the message
   * @param otherFlaw what is wrong with it
   * @return a changed copy
   */
  public Work with(int otherBytes, Flaw otherFlaw) {
    return new Work(opcode, otherBytes, pieces, flags, otherFlaw, operand, usesWindow);
  }

  /**
   * The same with other flags, pieces and operand.
   *
   * @param otherFlags send flags
   * @param otherPieces scatter/gather entries
   * @param otherOperand where its data comes from, and so on
   * @return a changed copy
   */
  public Work with(Set<SendFlag> otherFlags, int otherPieces, int otherOperand) {
    return new Work(opcode, bytes, otherPieces, otherFlags, flaw, otherOperand, usesWindow);
  }

  /** {@return whether it makes sense with another length} */
  public boolean bytesMayChange() {
    return !isAtomic() && !isLocal() && flaw != Flaw.TOO_LONG;
  }

  /** What its packets are. */
  WirePacket.Kind kind() {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV -> WirePacket.Kind.SEND;
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WirePacket.Kind.WRITE;
      case RDMA_READ -> WirePacket.Kind.READ_REQUEST;
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> WirePacket.Kind.ATOMIC;
      case ATOMIC_WRITE -> WirePacket.Kind.ATOMIC_WRITE;
      case FLUSH -> WirePacket.Kind.FLUSH;
      case LOCAL_INV, BIND_MW, TSO, DRIVER1 -> WirePacket.Kind.OTHER;
    };
  }

  /** Whether it takes a PSN for each packet of its data, here or there. */
  boolean isCut() {
    return kind().isCut() || opcode == WrOpcode.RDMA_READ;
  }

  /** Whether it is carried out here, without packets. */
  boolean isLocal() {
    return kind() == WirePacket.Kind.OTHER;
  }

  /** Whether it needs a response of its own. */
  boolean wantsResponse() {
    return !isLocal() && !kind().isCut();
  }

  /** Only a packet that completes a receive may ask for an event there. */
  void assertSentAs(WirePacket packet, boolean isLast, String what) {
    boolean isSolicited = flags.contains(SendFlag.SOLICITED) && isLast && takesReceive();
    Violation.unless(
        packet.isSolicited() == isSolicited,
        "%s left in a %s, solicited: %s",
        what,
        packet,
        packet.isSolicited());
  }

  boolean isSignaled() {
    return flags.contains(SendFlag.SIGNALED);
  }

  boolean isInline() {
    return flags.contains(SendFlag.INLINE);
  }

  boolean isAtomic() {
    return opcode == WrOpcode.ATOMIC_CMP_AND_SWP
        || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD
        || opcode == WrOpcode.ATOMIC_WRITE;
  }

  boolean isWrite() {
    return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  boolean hasImmediate() {
    return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  /** Whether it takes a receive of the peer. */
  boolean takesReceive() {
    return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_INV || hasImmediate();
  }

  /** Whether it carries data from here to the peer. */
  boolean sendsData() {
    return takesReceive() || isWrite() || opcode == WrOpcode.ATOMIC_WRITE;
  }

  /** Whether it brings data from the peer, into local memory. */
  boolean fetchesData() {
    return opcode == WrOpcode.RDMA_READ || (isAtomic() && opcode != WrOpcode.ATOMIC_WRITE);
  }
}
