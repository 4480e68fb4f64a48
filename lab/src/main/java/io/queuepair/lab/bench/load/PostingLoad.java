// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.CqePoller;
import io.queuepair.emulator.queue.CqeSink;
import io.queuepair.emulator.queue.SendPoster;
import io.queuepair.emulator.queue.SendReader;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.Set;

/** RDMA WRITEs of 8 bytes in memory: each is posted when the one before was polled. */
public final class PostingLoad implements Load {
  private static final int BYTES = 8;
  private static final int BETWEEN_LOOKS = 64;

  /** Made once, as the native library does. */
  private static final SendReader<PostingLoad> READER = PostingLoad::read;

  private static final CqeSink<PostingLoad> SINK = PostingLoad::take;

  private final DevicePair pair;
  private final PostingForm form;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final Sge source;
  private final SendWr.RemoteTarget target;
  private final WorkCompletion[] polled = new WorkCompletion[1];
  private final Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);

  private long wrId;

  /** How requests are posted and completions polled. */
  public enum PostingForm {
    /** By records of the API, each of them new. */
    RECORDS,
    /** By fields that are filled in, as for programs in C. */
    FIELDS
  }

  private PostingLoad(DevicePair pair, PostingForm form) {
    this.pair = pair;
    this.form = form;
    cq = pair.context(0).createCq(1);
    source = pair.memory(0, BYTES).sge(0, BYTES);
    MemoryRegion remote = pair.memory(1, BYTES);
    target = new SendWr.RemoteTarget(remote.addr(), remote.rkey());
    qp = pair.domain(0).createQp(QpInitAttr.rc(cq, QpCap.of(1)));
    CompletionQueue unused = pair.context(1).createCq(1);
    Emulator.connect(qp, pair.domain(1).createQp(QpInitAttr.rc(unused, QpCap.of(1))));
  }

  /**
   * Connects two devices in memory.
   *
   * @param form of posting and polling
   * @return a load that has not begun
   */
  public static PostingLoad open(PostingForm form) {
    return new PostingLoad(new DevicePair(BenchmarkNetwork.MEMORY), form);
  }

  @Override
  public long run(long nanos) {
    long end = System.nanoTime() + nanos;
    long completed = 0;
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < BETWEEN_LOOKS; i++) {
        wrId++;
        switch (form) {
          case RECORDS -> writeByRecords();
          case FIELDS -> writeByFields();
        }
      }
      completed += BETWEEN_LOOKS;
    }
    return completed;
  }

  private void writeByRecords() {
    Sge sge = new Sge(source.addr(), BYTES, source.lkey());
    qp.postSend(SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), sge));
    int taken = 0;
    while (taken == 0) {
      taken = cq.poll(polled);
    }
    requireNext(DevicePair.requireSuccess(polled[0]).wrId());
  }

  private void writeByFields() {
    ((SendPoster) qp).postSend(1, this, READER);
    int taken = 0;
    while (taken == 0) {
      taken = ((CqePoller) cq).poll(1, this, SINK);
    }
  }

  private void read(int index, SendRequest into) {
    into.begin(wrId, WrOpcode.RDMA_WRITE, signaled).remote(target.addr(), target.rkey());
    into.sges().add(source.addr(), BYTES, source.lkey());
  }

  private void take(int index, Cqe cqe) {
    if (!cqe.isSuccess()) {
      throw new IllegalStateException(cqe.status() + ": " + cqe.explanation());
    }
    requireNext(cqe.wrId());
  }

  private void requireNext(long completed) {
    if (completed != wrId) {
      throw new IllegalStateException(completed + " has completed instead of " + wrId);
    }
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
