// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.AccessContext;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** Executes requests without packets: memory window binds and local invalidations. */
final class LocalOperations {
  private final QpContext qp;
  private final MemoryTable memory;

  public LocalOperations(QpContext qp, MemoryTable memory) {
    this.qp = qp;
    this.memory = memory;
  }

  /**
   * Executes a request at once.
   *
   * @return false if it failed; then the request holds its error
   */
  boolean run(SendWqe wqe) {
    AccessContext accessor = new AccessContext(qp.domain(), qp.incarnation());
    WorkError error =
        wqe.opcode() == WrOpcode.LOCAL_INV
            ? invalidate(wqe.request().number(), accessor)
            : bind(wqe, accessor);
    if (error != null) {
      wqe.fail(error);
    }
    return error == null;
  }

  private @Nullable WorkError bind(SendWqe wqe, AccessContext accessor) {
    String refusal = memory.bind(wqe.bind(), accessor);
    return refusal == null ? null : new WorkError(WcStatus.MW_BIND_ERR, "bind: " + refusal);
  }

  private @Nullable WorkError invalidate(int rkey, AccessContext accessor) {
    String refusal = memory.invalidationRefusal(rkey, accessor);
    if (refusal != null) {
      String what = String.format("invalidation of key 0x%08x: ", rkey);
      WcStatus status =
          qp.has(Quirk.FAILED_INVALIDATIONS_LOC_QP_OP_ERR)
              ? WcStatus.LOC_QP_OP_ERR
              : WcStatus.MW_BIND_ERR;
      return new WorkError(status, what + refusal);
    }
    memory.invalidate(rkey);
    return null;
  }
}
