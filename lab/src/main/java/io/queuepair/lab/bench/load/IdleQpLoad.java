// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Many RC queue pairs that do nothing, or wait for an answer, beside one that works. */
public final class IdleQpLoad implements Load {
  /** No device has this address: what is sent there is lost. */
  private static final String UNREACHABLE = "127.99.9.9";

  /** 4.096 us times 2^31, more than two hours. */
  private static final int LONGEST_TIMEOUT = 31;

  private static final QpCap CAP = QpCap.of(16);

  private final DevicePair pair = new DevicePair(BenchmarkNetwork.MEMORY);
  private final List<QueuePair> members = new ArrayList<>();
  private final CompletionQueue[] queues = new CompletionQueue[2];
  private final WriteStream stream;

  private IdleQpLoad() {
    for (int device = 0; device < 2; device++) {
      queues[device] = pair.context(device).createCq(16);
    }
    stream = WriteStream.over(pair, WriteStream.StreamShape.small(8, 1));
  }

  /**
   * A stream of WRITEs of 8 bytes over one queue pair, in memory, beside others that idle.
   *
   * @param queuePairs how many idle, half of them at each device, connected to each other
   * @return a stream that does not flow yet
   */
  public static IdleQpLoad idle(int queuePairs) {
    IdleQpLoad idleQpLoad = new IdleQpLoad();
    for (int i = 0; i < queuePairs / 2; i++) {
      Emulator.connect(idleQpLoad.member(0), idleQpLoad.member(1));
    }
    return idleQpLoad;
  }

  /**
   * A stream of WRITEs of 8 bytes over one queue pair, in memory, beside others whose retry timers
   * are armed, since what they have sent is never answered.
   *
   * @param queuePairs how many of those
   * @return a stream that does not flow yet
   */
  public static IdleQpLoad waiting(int queuePairs) {
    IdleQpLoad idleQpLoad = new IdleQpLoad();
    MemoryRegion memory = idleQpLoad.pair.memory(0, 8);
    SendWr write = SendWr.rdmaWrite(0, 0, 0, memory.sge());
    for (int i = 0; i < queuePairs; i++) {
      QueuePair qp = idleQpLoad.member(0);
      toNobody(qp);
      qp.postSend(write);
    }
    return idleQpLoad;
  }

  private QueuePair member(int device) {
    QueuePair qp = pair.domain(device).createQp(QpInitAttr.rc(queues[device], CAP));
    members.add(qp);
    return qp;
  }

  private static void toNobody(QueuePair qp) {
    qp.modify(
        QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlag.LOCAL_WRITE));
    qp.modify(
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(Gid.of(IpAddress.parse(UNREACHABLE))))
            .pathMtu(Mtu.MTU_1024)
            .destQpNum(1)
            .rqPsn(0)
            .minRnrTimer(12)
            .maxDestRdAtomic(1));
    qp.modify(
        QpAttr.to(QpState.RTS)
            .sqPsn(0)
            .timeout(LONGEST_TIMEOUT)
            .retryCnt(7)
            .rnrRetry(7)
            .maxRdAtomic(1));
  }

  /**
   * What idle queue pairs take of the Java heap.
   *
   * @param queuePairs how many to make, all of them connected
   * @return bytes for each
   */
  public static double heapBytesPerQueuePair(int queuePairs) {
    try (IdleQpLoad idleQpLoad = new IdleQpLoad()) {
      long before = usedHeapBytes();
      for (int i = 0; i < queuePairs / 2; i++) {
        Emulator.connect(idleQpLoad.member(0), idleQpLoad.member(1));
      }
      return (double) (usedHeapBytes() - before) / idleQpLoad.members.size();
    }
  }

  private static long usedHeapBytes() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc(); // What the first one has to finalize is gone after the second.
    return memory.getHeapMemoryUsage().getUsed();
  }

  @Override
  public long run(long nanos) {
    return stream.run(nanos);
  }

  @Override
  public long packets() {
    return stream.packets();
  }

  @Override
  public void close() {
    pair.close();
  }
}
