package io.queuepair.emulator.qp;

import static io.queuepair.verbs.WrOpcode.ATOMIC_CMP_AND_SWP;
import static io.queuepair.verbs.WrOpcode.ATOMIC_FETCH_AND_ADD;
import static io.queuepair.verbs.WrOpcode.ATOMIC_WRITE;
import static io.queuepair.verbs.WrOpcode.FLUSH;
import static io.queuepair.verbs.WrOpcode.RDMA_READ;
import static io.queuepair.verbs.WrOpcode.RDMA_WRITE;
import static io.queuepair.verbs.WrOpcode.RDMA_WRITE_WITH_IMM;
import static io.queuepair.verbs.WrOpcode.SEND;
import static io.queuepair.verbs.WrOpcode.SEND_WITH_IMM;
import static io.queuepair.verbs.WrOpcode.SEND_WITH_INV;
import static io.queuepair.verbs.WrOpcode.TSO;

import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which operations a type of queue pair has (ibv_post_send(3)). The man page lists SEND_WITH_INV
 * for UC too, but no opcode on the wire could carry it.
 */
final class OfferedOperations {
  private static final Set<WrOpcode> OF_RAW_PACKET = EnumSet.of(SEND, TSO);

  private static final Set<WrOpcode> OF_UD = EnumSet.of(SEND, SEND_WITH_IMM, TSO);

  private static final Set<WrOpcode> OF_UC =
      EnumSet.of(SEND, SEND_WITH_IMM, RDMA_WRITE, RDMA_WRITE_WITH_IMM);

  private static final Set<WrOpcode> OF_XRC =
      EnumSet.of(
          SEND,
          SEND_WITH_IMM,
          SEND_WITH_INV,
          RDMA_WRITE,
          RDMA_WRITE_WITH_IMM,
          RDMA_READ,
          ATOMIC_CMP_AND_SWP,
          ATOMIC_FETCH_AND_ADD);

  private static final Set<WrOpcode> OF_RC = EnumSet.copyOf(OF_XRC);

  static {
    OF_RC.add(FLUSH);
    OF_RC.add(ATOMIC_WRITE);
  }

  private static final Set<WrOpcode> NONE = EnumSet.noneOf(WrOpcode.class);

  private OfferedOperations() {}

  /** Whether Soft-RoCE of Linux 6.1 does not have an operation, whatever the type. */
  static boolean isUnknownToLinux61(WrOpcode opcode) {
    return opcode == FLUSH || opcode == ATOMIC_WRITE || opcode == TSO;
  }

  static Set<WrOpcode> of(QpType type) {
    return switch (type) {
      case RC -> OF_RC;
      case UC -> OF_UC;
      case UD -> OF_UD;
      case XRC_SEND -> OF_XRC;
      case RAW_PACKET -> OF_RAW_PACKET;
      case XRC_RECV, DRIVER -> NONE;
    };
  }
}
