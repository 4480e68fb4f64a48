// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

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
 * RDMA WRITEs over RC queue pairs, as many as go: each queue pair has some batches posted, and gets
 * the next when one is done. The thread that posts sleeps while it waits, unless it has to move the
 * packets itself.
 */
public final class WriteStream implements Load {
  private final DevicePair pair;
  private final StreamShape shape;
  private final CompletionQueue cq;
  private final List<QpStream> lanes = new ArrayList<>();
  private boolean isFlowing;

  /**
   * What the WRITEs are like.
   *
   * @param messageBytes bytes of each
   * @param queuePairs how many take part
   * @param batch requests posted together, of which the last has a completion
   * @param batchesPosted batches that each queue pair has outstanding
   * @param spanBytes bytes of the memory at each end that messages lie in, one after the other; a
   *     multiple of a batch, or as long as one message
   */
  public record StreamShape(
      int messageBytes, int queuePairs, int batch, int batchesPosted, int spanBytes) {
    private static final int TWO_BATCHES = 2;
    private static final int LARGE_BATCH = 8;
    private static final int LARGE_SPAN_BYTES = 64 << 20;
    private static final int SMALL_BATCH = 256;

    /**
     * Large messages, in more memory than the processor's own caches hold.
     *
     * @param messageBytes bytes of each, a power of 2
     * @return one queue pair, batches of eight, 64 MiB at each end
     */
    public static StreamShape large(int messageBytes) {
      return new StreamShape(messageBytes, 1, LARGE_BATCH, TWO_BATCHES, LARGE_SPAN_BYTES);
    }

    /**
     * Large messages, all of them from and to the same place, as raw datagrams are.
     *
     * @param messageBytes bytes of each
     * @return one queue pair, batches of eight
     */
    public static StreamShape repeated(int messageBytes) {
      return new StreamShape(messageBytes, 1, LARGE_BATCH, TWO_BATCHES, messageBytes);
    }

    /**
     * Small messages, all of them from and to the same place.
     *
     * @param messageBytes bytes of each
     * @param queuePairs how many take part
     * @return batches of 256 requests, shared among the queue pairs
     */
    public static StreamShape small(int messageBytes, int queuePairs) {
      int batch = Math.max(1, SMALL_BATCH / queuePairs);
      return new StreamShape(messageBytes, queuePairs, batch, TWO_BATCHES, messageBytes);
    }

    /**
     * Small messages that are posted and signaled one by one, from and to the same place.
     *
     * @param messageBytes bytes of each
     * @param queuePairs how many take part
     * @param outstanding requests of all queue pairs together, a multiple of their number
     * @return batches of one request
     */
    public static StreamShape single(int messageBytes, int queuePairs, int outstanding) {
      return new StreamShape(messageBytes, queuePairs, 1, outstanding / queuePairs, messageBytes);
    }

    /** What the completion queue holds. */
    int batches() {
      return batchesPosted * queuePairs;
    }
  }

  /** A queue pair, and what it posts in turn. */
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

  private WriteStream(DevicePair pair, StreamShape shape) {
    this.pair = pair;
    this.shape = shape;
    cq = pair.context(0).createCq(shape.batches());
    CompletionQueue unused = pair.context(1).createCq(1);
    MemoryRegion source = pair.memory(0, shape.spanBytes());
    MemoryRegion target = pair.memory(1, shape.spanBytes());
    QpCap cap = QpCap.of(shape.batchesPosted() * shape.batch());
    for (int i = 0; i < shape.queuePairs(); i++) {
      QueuePair qp = pair.domain(0).createQp(QpInitAttr.rc(cq, cap));
      Emulator.connect(qp, pair.domain(1).createQp(QpInitAttr.rc(unused, QpCap.of(1))));
      lanes.add(new QpStream(qp, batches(i, source, target)));
    }
  }

  /**
   * Connects two devices.
   *
   * @param network between them
   * @param shape of the WRITEs
   * @return a stream that does not flow yet
   */
  public static WriteStream open(BenchmarkNetwork network, StreamShape shape) {
    return over(new DevicePair(network), shape);
  }

  /**
   * Connects two devices with other addresses, for a second stream of the process.
   *
   * @param network between them
   * @param shape of the WRITEs
   * @return a stream that does not flow yet
   */
  public static WriteStream openSecond(BenchmarkNetwork network, StreamShape shape) {
    return over(new DevicePair(network, 2), shape);
  }

  static WriteStream over(DevicePair pair, StreamShape shape) {
    return new WriteStream(pair, shape);
  }

  private List<List<SendWr>> batches(int lane, MemoryRegion source, MemoryRegion target) {
    List<List<SendWr>> batches = new ArrayList<>();
    int step = shape.batch() * shape.messageBytes();
    int offset = 0;
    do {
      batches.add(batch(lane, source, target, offset));
      offset += step;
    } while (offset + step <= shape.spanBytes());
    return batches;
  }

  /** As many WRITEs as are posted together, from and to places one after the other. */
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
      for (int i = 0; i < shape.batchesPosted(); i++) {
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
  public long packets() {
    return pair.packets();
  }

  @Override
  public void close() {
    pair.close();
  }
}
