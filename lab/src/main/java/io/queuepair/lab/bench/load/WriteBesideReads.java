// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.Arrays;

/**
 * One small WRITE at a time to a device that answers long READs of another device meanwhile, over
 * UDP. Three devices, each with a network and a thread of its own.
 */
public final class WriteBesideReads implements Load {
  private static final int WRITE_BYTES = 64;
  private static final int READ_BYTES = 16 << 20;
  private static final int READS = 2;

  private static final int DEVICES = 3;
  private static final int MOST_TIMES = 1 << 16;

  private final DevicePair pair;
  private final Emulator third;
  private final boolean hasReads;
  private final QueuePair reader;
  private final QueuePair writer;
  private final CompletionQueue reads;
  private final CompletionQueue writes;
  private final SendWr read;
  private final SendWr write;
  private final WorkCompletion[] polled = new WorkCompletion[READS];
  private final long[] times = new long[MOST_TIMES];
  private int count;

  private WriteBesideReads(boolean hasReads) {
    this.hasReads = hasReads;
    int number = hasReads ? 0 : DEVICES;
    pair = new DevicePair(BenchmarkNetwork.UDP_BACKGROUND, number);
    third = BenchmarkNetwork.UDP_BACKGROUND.open()[0];
    reads = pair.context(0).createCq(READS);
    reader = pair.domain(0).createQp(QpInitAttr.rc(reads, QpCap.of(READS)));
    Emulator.connect(reader, answering());
    MemoryRegion much = pair.memory(1, READ_BYTES);
    read = SendWr.rdmaRead(0, much.addr(), much.rkey(), pair.memory(0, READ_BYTES).sge());
    ProtectionDomain pd = DevicePair.open(third, number + 2);
    writes = pd.context().createCq(1);
    writer = pd.createQp(QpInitAttr.rc(writes, QpCap.of(1)));
    Emulator.connect(writer, answering());
    MemoryRegion target = pair.memory(1, WRITE_BYTES);
    write =
        SendWr.rdmaWrite(0, target.addr(), target.rkey(), DevicePair.memory(pd, WRITE_BYTES).sge());
  }

  private QueuePair answering() {
    return pair.domain(1).createQp(QpInitAttr.rc(pair.context(1).createCq(1), QpCap.of(1)));
  }

  /**
   * Connects three devices.
   *
   * @param hasReads whether there are READs at all
   * @return a load that has not begun
   */
  public static WriteBesideReads open(boolean hasReads) {
    return new WriteBesideReads(hasReads);
  }

  @Override
  public long run(long nanos) {
    long end = System.nanoTime() + nanos;
    count = 0;
    for (int i = 0; hasReads && i < READS; i++) {
      reader.postSend(read);
    }
    while (System.nanoTime() - end < 0) {
      long start = System.nanoTime();
      writer.postSend(write);
      DevicePair.await(third, writes);
      times[count % MOST_TIMES] = System.nanoTime() - start;
      count++;
      readAgain();
    }
    for (int i = 0; hasReads && i < READS; i++) {
      pair.await(0, reads);
    }
    return count;
  }

  private void readAgain() {
    int done = reads.poll(polled);
    for (int i = 0; i < done; i++) {
      DevicePair.requireSuccess(polled[i]);
      reader.postSend(read);
    }
  }

  /**
   * How long a WRITE takes until it is completed.
   *
   * @param nanos how long to measure
   * @return microseconds, the median
   */
  public double writeMicros(long nanos) {
    run(nanos / 4);
    run(nanos);
    int measured = Math.min(count, MOST_TIMES);
    Arrays.sort(times, 0, measured);
    return times[measured / 2] / 1e3;
  }

  @Override
  public long packets() {
    return pair.packets();
  }

  @Override
  public void close() {
    third.close();
    pair.close();
  }
}
