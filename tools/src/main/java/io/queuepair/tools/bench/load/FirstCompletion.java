package io.queuepair.tools.bench.load;

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
    try (Couple couple = new Couple(Network.MEMORY)) {
      CompletionQueue cq = couple.context(0).createCq(1);
      CompletionQueue unused = couple.context(1).createCq(1);
      QueuePair qp = couple.domain(0).createQp(QpInitAttr.rc(cq, QpCap.of(1)));
      Emulator.connect(qp, couple.domain(1).createQp(QpInitAttr.rc(unused, QpCap.of(1))));
      MemoryRegion source = couple.memory(0, 8);
      MemoryRegion target = couple.memory(1, 8);
      qp.postSend(SendWr.rdmaWrite(1, target.addr(), target.rkey(), source.sge()));
      System.out.println(couple.await(0, cq).status());
    }
  }
}
