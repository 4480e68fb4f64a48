// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;

/** A small program: two devices in memory, one WRITE, and it says when that is done. */
public final class FirstCompletion {
  private FirstCompletion() {}

  /**
   * Prints a line when the WRITE has completed.
   *
   * @param args none
   */
  public static void main(String[] args) {
    try (DevicePair pair = new DevicePair(BenchmarkNetwork.MEMORY)) {
      CompletionQueue cq = pair.context(0).createCq(1);
      CompletionQueue unused = pair.context(1).createCq(1);
      QueuePair qp = pair.domain(0).createQp(QpInitAttr.rc(cq, QpCap.of(1)));
      Emulator.connect(qp, pair.domain(1).createQp(QpInitAttr.rc(unused, QpCap.of(1))));
      MemoryRegion source = pair.memory(0, 8);
      MemoryRegion target = pair.memory(1, 8);
      qp.postSend(SendWr.rdmaWrite(1, target.addr(), target.rkey(), source.sge()));
      System.out.println(pair.await(0, cq).status());
    }
  }
}
