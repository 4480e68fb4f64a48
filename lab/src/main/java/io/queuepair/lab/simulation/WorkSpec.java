// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.Set;

/**
 * A work request before it has memory: what a workload says of it.
 *
 * @param bytes length of the message; 8 for atomics
 * @param operand where its data comes from, what an atomic works with, its immediate
 * @param usesWindow whether it goes through the memory window of the peer, if that is open
 */
public record WorkSpec(
    WrOpcode opcode,
    int bytes,
    int pieces,
    Set<SendFlag> flags,
    InjectedError error,
    int operand,
    boolean usesWindow) {
  /** Longest message that is not too long, unless longer ones are asked for. */
  static final int MAX_BYTES = 3_000;

  static final int MAX_PIECES = 3;
  static final int MAX_INLINE = 128;

  /** A request that goes to memory itself. */
  public WorkSpec(
      WrOpcode opcode,
      int bytes,
      int pieces,
      Set<SendFlag> flags,
      InjectedError error,
      int operand) {
    this(opcode, bytes, pieces, flags, error, operand, false);
  }

  /** Chooses whether it goes through the memory window of the peer. */
  public WorkSpec withWindow(boolean isUsed) {
    return new WorkSpec(opcode, bytes, pieces, flags, error, operand, isUsed);
  }

  /** A copy with another length and flaw. */
  public WorkSpec with(int otherBytes, InjectedError otherFlaw) {
    return new WorkSpec(opcode, otherBytes, pieces, flags, otherFlaw, operand, usesWindow);
  }

  /** A copy with other flags, pieces and operand. */
  public WorkSpec with(Set<SendFlag> otherFlags, int otherPieces, int otherOperand) {
    return new WorkSpec(opcode, bytes, otherPieces, otherFlags, error, otherOperand, usesWindow);
  }

  /** {@return whether it makes sense with another length} */
  public boolean bytesMayChange() {
    return !isAtomic() && !isLocal() && error != InjectedError.TOO_LONG;
  }

  /** Role of its packets. */
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

  /** Whether it takes a PSN for each packet of its data, here or there. */
  boolean isCut() {
    return kind().isCut() || opcode == WrOpcode.RDMA_READ;
  }

  /** Whether it is carried out here, without packets. */
  boolean isLocal() {
    return kind() == WirePacket.PacketRole.OTHER;
  }

  /** Whether it needs a response of its own. */
  boolean needsResponse() {
    return !isLocal() && !kind().isCut();
  }

  /** Demands that only a packet that completes a receive asks for an event there. */
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

  /** Whether it takes a receive of the peer. */
  boolean consumesReceive() {
    return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_INV || hasImmediate();
  }

  /** Whether it carries data from here to the peer. */
  boolean sendsData() {
    return consumesReceive() || isWrite() || opcode == WrOpcode.ATOMIC_WRITE;
  }

  /** Whether it brings data from the peer, into local memory. */
  boolean fetchesData() {
    return opcode == WrOpcode.RDMA_READ || (isAtomic() && opcode != WrOpcode.ATOMIC_WRITE);
  }
}
