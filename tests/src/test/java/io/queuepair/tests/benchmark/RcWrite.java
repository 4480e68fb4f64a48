package io.queuepair.tests.benchmark;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** RDMA WRITEs over one RC queue pair, as many as go. */
final class RcWrite implements AutoCloseable {
  private final Emulator from;
  private final Emulator to;
  private final int batch;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final List<SendWr> list = new ArrayList<>();

  /**
   * Connects two devices.
   *
   * @param batch requests posted together, of which the last is signaled
   */
  RcWrite(Emulator from, Emulator to, int messageBytes, int batch) {
    this.from = from;
    this.to = to;
    this.batch = batch;
    Context a = from.addDevice("127.0.0.93").open();
    Context b = to.addDevice("127.0.0.94").open();
    ProtectionDomain pdA = a.allocPd();
    ProtectionDomain pdB = b.allocPd();
    cq = a.createCq(1024);
    qp = pdA.createQp(QpInitAttr.rc(cq, QpCap.of(2 * batch)));
    QueuePair peer = pdB.createQp(QpInitAttr.rc(b.createCq(16), QpCap.of(1)));
    Emulator.connect(qp, peer);
    MemoryRegion source =
        pdA.regMr(ByteBuffer.allocateDirect(messageBytes), AccessFlag.LOCAL_WRITE);
    MemoryRegion target =
        pdB.regMr(
            ByteBuffer.allocateDirect(messageBytes),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE);
    for (int i = 0; i < batch; i++) {
      SendWr write = SendWr.rdmaWrite(i, target.addr(), target.rkey(), source.sge());
      list.add(i == batch - 1 ? write : write.withFlags(new SendFlag[0]));
    }
  }

  /** Messages completed in a second, after a warm-up of a quarter of the time. */
  double messagesPerSecond(long nanos) {
    run(nanos / 4);
    long start = System.nanoTime();
    long messages = run(nanos);
    return messages / ((System.nanoTime() - start) / 1e9);
  }

  /** Keeps two batches in the queue. */
  private long run(long nanos) {
    long end = System.nanoTime() + nanos;
    long completed = 0;
    qp.postSend(list);
    while (System.nanoTime() - end < 0) {
      qp.postSend(list);
      completed += awaitBatch();
    }
    return completed + awaitBatch();
  }

  /** Sleeps until a batch is done: spinning would take a processor from the networks' threads. */
  private int awaitBatch() {
    WorkCompletion completion = from.await(cq);
    if (!completion.isSuccess()) {
      throw new IllegalStateException("the write failed: " + completion);
    }
    return batch;
  }

  @Override
  public void close() {
    from.close();
    to.close();
  }
}
