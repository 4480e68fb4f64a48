package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.Accessor;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.verbs.LocalInv;
import io.queuepair.verbs.WcStatus;

/** Carries out what puts nothing on the wire: binds and invalidations of memory windows. */
final class LocalWork {
  private final QpContext qp;
  private final MemoryTable memory;

  LocalWork(QpContext qp, MemoryTable memory) {
    this.qp = qp;
    this.memory = memory;
  }

  /**
   * Carries out a request at once.
   *
   * @return false if it failed; then it is doomed
   */
  boolean run(SendWqe wqe) {
    Accessor by = new Accessor(qp.domain(), qp.life());
    Failure failure =
        wqe.request() instanceof LocalInv invalidation
            ? invalidate(invalidation.invalidateRkey(), by)
            : bind(wqe, by);
    if (failure != null) {
      wqe.doom(failure);
    }
    return failure == null;
  }

  private Failure bind(SendWqe wqe, Accessor by) {
    String refusal = memory.bind(wqe.bind(), by);
    return refusal == null ? null : new Failure(WcStatus.MW_BIND_ERR, "bind: " + refusal);
  }

  private Failure invalidate(int rkey, Accessor by) {
    String refusal = memory.invalidationRefusal(rkey, by);
    if (refusal != null) {
      String what = String.format("invalidation of key 0x%08x: ", rkey);
      WcStatus status =
          qp.has(Quirk.FAILED_INVALIDATIONS_LOC_QP_OP_ERR)
              ? WcStatus.LOC_QP_OP_ERR
              : WcStatus.MW_BIND_ERR;
      return new Failure(status, what + refusal);
    }
    memory.invalidate(rkey);
    return null;
  }
}
