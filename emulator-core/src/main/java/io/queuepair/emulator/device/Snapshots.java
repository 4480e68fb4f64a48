package io.queuepair.emulator.device;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.snapshot.CqSnapshot;
import io.queuepair.emulator.snapshot.PostedSend;
import io.queuepair.emulator.snapshot.QpSnapshot;
import io.queuepair.emulator.snapshot.SrqSnapshot;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import java.util.List;

/** Looks into the objects of an emulated device, without touching them. */
public final class Snapshots {
  private Snapshots() {}

  /** A queue pair, also one that was destroyed, as it is now. */
  public static QpSnapshot of(QueuePair queuePair) {
    EmulatedQueuePair emulated = (EmulatedQueuePair) queuePair;
    return emulated.driver().call(hca -> of(hca, emulated.qp()));
  }

  private static QpSnapshot of(Hca hca, QpContext qp) {
    QpAttr attr = hca.queuePairs().query(qp);
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
        workRequests(qp.receiveQueue()));
  }

  private static List<Long> workRequests(Ring<RecvWqe> receives) {
    return receives.toList().stream().map(RecvWqe::wrId).toList();
  }

  /** A completion queue as it is now. */
  public static CqSnapshot of(CompletionQueue cq) {
    EmulatedCompletionQueue emulated = (EmulatedCompletionQueue) cq;
    CompletionRing ring = emulated.ring();
    return emulated
        .driver()
        .call(
            hca ->
                new CqSnapshot(
                    ring.completions(), ring.capacity(), ring.isArmed(), ring.isOverrun()));
  }

  /** A shared receive queue as it is now. */
  public static SrqSnapshot of(SharedReceiveQueue srq) {
    EmulatedSharedReceiveQueue emulated = (EmulatedSharedReceiveQueue) srq;
    SharedReceiveRing ring = emulated.ring();
    return emulated.driver().call(hca -> new SrqSnapshot(workRequests(ring.ring()), ring.limit()));
  }
}
