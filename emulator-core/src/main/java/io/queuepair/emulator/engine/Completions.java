package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrOpcode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;

/** Writes the completions of one queue pair. */
final class Completions {
  private static final Set<WcFlag> NO_FLAGS =
      Collections.unmodifiableSet(EnumSet.noneOf(WcFlag.class));
  private static final Set<WcFlag> WITH_IMM =
      Collections.unmodifiableSet(EnumSet.of(WcFlag.WITH_IMM));

  private final QpContext qp;

  /** Where a completion queue goes that has just overrun. */
  private final Queue<CompletionRing> overruns;

  Completions(QpContext qp, Queue<CompletionRing> overruns) {
    this.qp = qp;
    this.overruns = overruns;
  }

  void sent(SendWqe wqe) {
    if (wqe.isSignaled()) {
      WorkCompletion completion =
          new WorkCompletion(
              wqe.wrId(),
              WcStatus.SUCCESS,
              opcodeOf(wqe.opcode()),
              0,
              (int) wqe.lengthBytes(),
              0,
              qp.qpn(),
              0,
              NO_FLAGS);
      add(qp.sendCompletions(), completion, false);
    }
  }

  void sendFailed(SendWqe wqe, WcStatus status) {
    add(qp.sendCompletions(), failure(wqe.wrId(), status), true);
  }

  /** A message has filled a receive, or a write with immediate has consumed one. */
  void received(InboundMessage message, Integer immediate, boolean solicited) {
    WorkCompletion completion =
        new WorkCompletion(
            message.receive().wrId(),
            WcStatus.SUCCESS,
            message.isWrite() ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV,
            0,
            (int) message.placedBytes(),
            immediate == null ? 0 : immediate,
            qp.qpn(),
            0,
            immediate == null ? NO_FLAGS : WITH_IMM);
    add(qp.receiveCompletions(), completion, solicited);
  }

  void receiveFailed(RecvWqe wqe, WcStatus status) {
    add(qp.receiveCompletions(), failure(wqe.wrId(), status), true);
  }

  private WorkCompletion failure(long wrId, WcStatus status) {
    return new WorkCompletion(wrId, status, WcOpcode.SEND, 0, 0, 0, qp.qpn(), 0, NO_FLAGS);
  }

  private void add(CompletionRing ring, WorkCompletion completion, boolean solicited) {
    if (!ring.add(completion, solicited)) {
      qp.raise(EventType.CQ_ERR);
      overruns.add(ring);
    }
  }

  private static WcOpcode opcodeOf(WrOpcode opcode) {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV -> WcOpcode.SEND;
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
      case RDMA_READ -> WcOpcode.RDMA_READ;
      case ATOMIC_CMP_AND_SWP -> WcOpcode.COMP_SWAP;
      case ATOMIC_FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
      case LOCAL_INV -> WcOpcode.LOCAL_INV;
      case BIND_MW -> WcOpcode.BIND_MW;
      case TSO -> WcOpcode.TSO;
      case FLUSH -> WcOpcode.FLUSH;
      case ATOMIC_WRITE -> WcOpcode.ATOMIC_WRITE;
      case DRIVER1 -> WcOpcode.DRIVER1;
    };
  }
}
