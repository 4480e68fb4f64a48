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
