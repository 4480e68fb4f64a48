// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;

/**
 * Streams RDMA WRITEs over RC queue pairs: each queue pair has two batches posted, and posts the
 * next one when a batch completes. The posting thread blocks while it waits, unless it has to
 * deliver the packets itself.
 */
final class WriteStream implements Load {
  private static final int BATCHES_POSTED = 2;

  private final DevicePair pair;
  private final StreamShape shape;
  private final CompletionQueue cq;
  private final List<QpStream> lanes = new ArrayList<>();
  private boolean isFlowing;

  /**
   * Shape of the WRITEs.
   *
   * @param batch requests posted together, of which only the last is signaled
   * @param spanBytes length of the memory at each end over which messages are spread one after the
   *     other; a multiple of a batch, or the length of one message
   */
  record StreamShape(int messageBytes, int queuePairs, int batch, int spanBytes) {
    private static final int LARGE_BATCH = 8;
    private static final int SMALL_BATCH = 256;

    /** Large messages of one queue pair, spread over memory of that length at each end. */
    static StreamShape large(int messageBytes, int spanBytes) {
      return new StreamShape(messageBytes, 1, LARGE_BATCH, spanBytes);
    }

    /** Small messages in the same memory, in batches of 256 over all queue pairs together. */
    static StreamShape small(int messageBytes, int queuePairs) {
      return new StreamShape(messageBytes, queuePairs, SMALL_BATCH / queuePairs, messageBytes);
    }
  }

  /** A queue pair and the batches that it posts in turn. */
  private static final class QpStream {
    private final QueuePair qp;
    private final List<List<SendWr>> batches;
    private int next;

    QpStream(QueuePair qp, List<List<SendWr>> batches) {
      this.qp = qp;
      this.batches = batches;
    }

    void post() {
      qp.postSend(batches.get(next));
      next = (next + 1) % batches.size();
    }
  }

  /** Connects two devices; nothing is posted yet. */
  WriteStream(BenchmarkNetwork network, StreamShape shape) {
    this.shape = shape;
    pair = new DevicePair(network);
    cq = pair.context(0).createCq(BATCHES_POSTED * shape.queuePairs());
    CompletionQueue unused = pair.context(1).createCq(1);
    MemoryRegion source = pair.memory(0, shape.spanBytes());
    MemoryRegion target = pair.memory(1, shape.spanBytes());
    QpCap cap = QpCap.of(BATCHES_POSTED * shape.batch());
    for (int i = 0; i < shape.queuePairs(); i++) {
      QueuePair qp = pair.domain(0).createQp(QpInitAttr.rc(cq, cap));
      Emulator.connect(qp, pair.domain(1).createQp(QpInitAttr.rc(unused, QpCap.of(1))));
      lanes.add(new QpStream(qp, batches(i, source, target)));
    }
  }

  private List<List<SendWr>> batches(int lane, MemoryRegion source, MemoryRegion target) {
    List<List<SendWr>> batches = new ArrayList<>();
    int step = shape.batch() * shape.messageBytes();
    for (int offset = 0; offset == 0 || offset + step <= shape.spanBytes(); offset += step) {
      batches.add(batch(lane, source, target, offset));
    }
    return batches;
  }

  /** Batch of WRITEs with consecutive local and remote addresses. */
  private List<SendWr> batch(int lane, MemoryRegion source, MemoryRegion target, int start) {
    List<SendWr> batch = new ArrayList<>();
    int bytes = shape.messageBytes();
    for (int i = 0; i < shape.batch(); i++) {
      int offset = (start + i * bytes) % shape.spanBytes();
      SendWr write =
          SendWr.rdmaWrite(lane, target.addr() + offset, target.rkey(), source.sge(offset, bytes));
      batch.add(i == shape.batch() - 1 ? write : write.withFlags(new SendFlag[0]));
    }
    return batch;
  }

  @Override
  public long run(long nanos) {
    long end = System.nanoTime() + nanos;
    if (!isFlowing) {
      isFlowing = true;
      for (int i = 0; i < BATCHES_POSTED; i++) {
        lanes.forEach(QpStream::post);
      }
    }
    long completed = 0;
    while (System.nanoTime() - end < 0) {
      int lane = (int) pair.await(0, cq).wrId();
      lanes.get(lane).post();
      completed += shape.batch();
    }
    return completed;
  }

  @Override
  public void close() {
    pair.close();
  }
}
