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
 */
public record Work(
    WrOpcode opcode, int bytes, int pieces, Set<SendFlag> flags, Flaw flaw, int operand) {
  /**
   * The same with another length and flaw.
   *
   * @param otherBytes length of the message
   * @param otherFlaw what is wrong with it
   * @return a changed copy
   */
  public Work with(int otherBytes, Flaw otherFlaw) {
    return new Work(opcode, otherBytes, pieces, flags, otherFlaw, operand);
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
    return new Work(opcode, bytes, otherPieces, otherFlags, flaw, otherOperand);
  }

  /** {@return whether it makes sense with another length} */
  public boolean bytesMayChange() {
    return !isAtomic() && flaw != Flaw.TOO_LONG;
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
    return opcode == WrOpcode.SEND || hasImmediate();
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
