// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A connection to the target that has nothing to do with the attack: one small WRITE at a time. */
final class BystanderConnection {
  private static final int WRITE_BYTES = 64;
  private static final long PAUSE_NANOS = 200_000;

  private final Emulator emulator;
  private final QueuePair qp;
  private final CompletionQueue cq;
  private final SendWr write;

  /**
   * How long WRITEs took until they were completed.
   *
   * @param count how many
   * @param medianMicros half of them took less
   * @param failure why the last one failed; empty if it did not
   */
  record Times(int count, double medianMicros, String failure) {}

  BystanderConnection(Emulator emulator, String address, ProtectionDomain target) {
    this.emulator = emulator;
    ProtectionDomain pd = emulator.addDevice(address).open().allocPd();
    cq = pd.context().createCq(1);
    qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(1)));
    Emulator.connect(qp, target.createQp(QpInitAttr.rc(target.context().createCq(1), QpCap.of(1))));
    MemoryRegion there =
        target.regMr(
            ByteBuffer.allocateDirect(WRITE_BYTES),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE);
    MemoryRegion here = pd.regMr(ByteBuffer.allocateDirect(WRITE_BYTES));
    write = SendWr.rdmaWrite(1, there.addr(), there.rkey(), here.sge());
  }

  /** Works for a while, or until the connection fails. */
  Times work(long nanos) {
    List<Long> taken = new ArrayList<>();
    String failure = "";
    long end = System.nanoTime() + nanos;
    while (failure.isEmpty() && System.nanoTime() - end < 0) {
      long start = System.nanoTime();
      qp.postSend(write);
      WorkCompletion completion = emulator.await(cq);
      taken.add(System.nanoTime() - start);
      failure = completion.isSuccess() ? "" : completion.status() + ": " + completion.explain();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    Collections.sort(taken);
    return new Times(taken.size(), taken.get(taken.size() / 2) / 1e3, failure);
  }
}
