// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.Set;

/**
 * Description of a work request before its memory is allocated.
 *
 * @param bytes length of the message; 8 for atomics
 * @param pieces number of scatter/gather entries
 * @param operand source of the data offset, the atomic operand and the immediate data
 * @param usesWindow whether a write uses the memory window of the peer, if that is bound
 */
public record WorkSpec(
    WrOpcode opcode,
    int bytes,
    int pieces,
    Set<SendFlag> flags,
    InjectedError error,
    int operand,
    boolean usesWindow) {
  /** Longest message of legal length, unless options ask for longer ones. */
  static final int MAX_BYTES = 3_000;

  static final int MAX_PIECES = 3;
  static final int MAX_INLINE = 128;

  /** Creates a request that does not use a memory window. */
  public WorkSpec(
      WrOpcode opcode,
      int bytes,
      int pieces,
      Set<SendFlag> flags,
      InjectedError error,
      int operand) {
    this(opcode, bytes, pieces, flags, error, operand, false);
  }

  public WorkSpec withWindow(boolean isUsed) {
    return new WorkSpec(opcode, bytes, pieces, flags, error, operand, isUsed);
  }

  public WorkSpec with(int otherBytes, InjectedError otherFlaw) {
    return new WorkSpec(opcode, otherBytes, pieces, flags, otherFlaw, operand, usesWindow);
  }

  public WorkSpec with(Set<SendFlag> otherFlags, int otherPieces, int otherOperand) {
    return new WorkSpec(opcode, bytes, otherPieces, otherFlags, error, otherOperand, usesWindow);
  }

  public boolean bytesMayChange() {
    return !isAtomic() && !isLocal() && error != InjectedError.TOO_LONG;
  }

  /** Operation of its packets. */
  WirePacket.PacketRole kind() {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV -> WirePacket.PacketRole.SEND;
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WirePacket.PacketRole.WRITE;
      case RDMA_READ -> WirePacket.PacketRole.READ_REQUEST;
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> WirePacket.PacketRole.ATOMIC;
      case ATOMIC_WRITE -> WirePacket.PacketRole.ATOMIC_WRITE;
      case FLUSH -> WirePacket.PacketRole.FLUSH;
      case LOCAL_INV, BIND_MW, TSO, DRIVER1 -> WirePacket.PacketRole.OTHER;
    };
  }

  /** Whether the request takes one PSN for each packet of its data, in either direction. */
  boolean isCut() {
    return kind().isCut() || opcode == WrOpcode.RDMA_READ;
  }

  /** Whether the request is executed locally, without packets. */
  boolean isLocal() {
    return kind() == WirePacket.PacketRole.OTHER;
  }

  /** Whether the request needs a response other than an ACK. */
  boolean needsResponse() {
    return !isLocal() && !kind().isCut();
  }

  /**
   * Checks that the solicited event bit is set only in a packet that completes a receive and whose
   * request asks for it.
   */
  void assertSentAs(WirePacket packet, boolean isLast, String what) {
    boolean isSolicited = flags.contains(SendFlag.SOLICITED) && isLast && consumesReceive();
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

  /** Whether the request consumes a receive of the peer. */
  boolean consumesReceive() {
    return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_INV || hasImmediate();
  }

  boolean sendsData() {
    return consumesReceive() || isWrite() || opcode == WrOpcode.ATOMIC_WRITE;
  }

  /** Whether the request returns data of the peer into local memory. */
  boolean fetchesData() {
    return opcode == WrOpcode.RDMA_READ || (isAtomic() && opcode != WrOpcode.ATOMIC_WRITE);
  }
}
