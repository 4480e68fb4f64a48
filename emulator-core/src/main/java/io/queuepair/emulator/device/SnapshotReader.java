// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.observe.CqSnapshot;
import io.queuepair.emulator.observe.MemorySnapshot;
import io.queuepair.emulator.observe.PostedSend;
import io.queuepair.emulator.observe.QpSnapshot;
import io.queuepair.emulator.observe.RetryTimer;
import io.queuepair.emulator.observe.SrqSnapshot;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads the objects of a device without changing them. */
public final class SnapshotReader {
  private SnapshotReader() {}

  /** Number of state transitions of all queue pairs of a device. */
  public static long transitions(Context context) {
    try (Step step = ((EmulatedContext) context).driver().call()) {
      return step.hca().engine().statistics().transitionCount();
    }
  }

  /** Snapshot of a queue pair, which may have been destroyed. */
  public static QpSnapshot of(QueuePair queuePair) {
    EmulatedQueuePair emulated = (EmulatedQueuePair) queuePair;
    try (Step step = emulated.driver().call()) {
      return of(step.hca(), emulated.qpEngine());
    }
  }

  private static QpSnapshot of(Hca hca, QpEngine qpEngine) {
    QpContext qp = qpEngine.qp();
    QpAttr attr = hca.queuePairs().query(qpEngine);
    List<PostedSend> sends =
        qp.sendQueue().toList().stream()
            .map(wqe -> new PostedSend(wqe.wrId(), wqe.opcode(), wqe.isStarted()))
            .toList();
    return new QpSnapshot(
        qp.state(),
        qp.history().transitions(),
        qp.history().states(),
        qp.isDraining(),
        attr.pathMigState(),
        attr.sqPsn(),
        attr.rqPsn(),
        sends,
        workRequests(qp.receiveQueue()),
        retryTimer(qpEngine));
  }

  private static Optional<RetryTimer> retryTimer(QpEngine qpEngine) {
    QpContext qp = qpEngine.qp();
    boolean isReliable = qp.type() == QpType.RC || qp.type() == QpType.XRC_SEND;
    boolean maySend = qp.state() == QpState.RTS || qp.state() == QpState.SQD;
    OptionalLong deadline = isReliable && maySend ? qpEngine.retryNanos() : OptionalLong.empty();
    if (deadline.isEmpty()) {
      return Optional.empty();
    }
    boolean isRnr = qpEngine.waitsForReceiver();
    RetryTimer.Kind kind = isRnr ? RetryTimer.Kind.RNR : RetryTimer.Kind.ACK;
    return Optional.of(new RetryTimer(kind, deadline.getAsLong()));
  }

  private static List<Long> workRequests(Ring<RecvWqe> ring) {
    return ring.toList().stream().map(RecvWqe::wrId).toList();
  }

  public static CqSnapshot of(CompletionQueue cq) {
    EmulatedCompletionQueue emulated = (EmulatedCompletionQueue) cq;
    CompletionRing ring = emulated.ring();
    try (Step step = emulated.driver().call()) {
      return new CqSnapshot(ring.completions(), ring.capacity(), ring.isArmed(), ring.isOverrun());
    }
  }

  public static SrqSnapshot of(SharedReceiveQueue srq) {
    EmulatedSharedReceiveQueue emulated = (EmulatedSharedReceiveQueue) srq;
    SharedReceiveRing ring = emulated.ring();
    try (Step step = emulated.driver().call()) {
      return new SrqSnapshot(workRequests(ring.ring()), ring.limit());
    }
  }

  /** Snapshot of a memory region, which may have been deregistered. */
  public static MemorySnapshot of(MemoryRegion region) {
    EmulatedMemoryRegion emulated = (EmulatedMemoryRegion) region;
    RegisteredMemory memory = emulated.memory();
    boolean isOpen = !emulated.lifecycle().hasEnded();
    try (Step step = emulated.driver().call()) {
      return new MemorySnapshot(
          memory.key(), memory.addr(), memory.length(), memory.access(), isOpen);
    }
  }

  /** Snapshot of a memory window, which may have been freed. */
  public static MemorySnapshot of(MemoryWindow window) {
    EmulatedMemoryWindow emulated = (EmulatedMemoryWindow) window;
    MemoryWindowState state = emulated.window();
    try (Step step = emulated.driver().call()) {
      MemoryRange range = state.fullRange();
      boolean isBound = state.isBound();
      Set<AccessFlag> access = isBound ? state.access() : Set.of();
      return new MemorySnapshot(state.key(), range.addr(), range.length(), access, isBound);
    }
  }
}
