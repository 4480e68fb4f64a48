// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.withQueue;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the data path allocates on the heap: nothing. Skipped where the device is an emulated one in
 * the same JVM, which allocates itself.
 */
@Timeout(60)
class NativeAllocationTest {
  private static final int MESSAGES = 2000;

  @RegisterExtension private final SystemHost host = new SystemHost();

  private RdmaCmId one;
  private RdmaCmId other;
  private ExtendedCompletionQueue sends;
  private ExtendedCompletionQueue receives;
  private MemoryRegion from;
  private MemoryRegion into;

  @BeforeEach
  void connect() {
    String preloaded = System.getenv("LD_PRELOAD");
    Assumptions.assumeTrue(
        preloaded == null || preloaded.isEmpty(), "the device is an emulated one in this JVM");
    sends = host.extendedCq();
    receives = host.extendedCq();
    one = host.extended(withQueue(sends), SendOpsFlag.WITH_SEND);
    other = host.connect(one, withQueue(receives));
    from = host.room(one);
    into = host.room(other);
  }

  @Test
  void extendedPostingAndPollingAllocateNothing() {
    List<RecvWr> receive = List.of(RecvWr.of(7, into.sge()));
    Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);
    Sge sge = from.sge();
    ExtendedQueuePair qp = (ExtendedQueuePair) one.qp();

    long bytes =
        ThreadAllocation.bytes(
            () -> {
              for (int i = 0; i < MESSAGES; i++) {
                other.qp().postRecv(receive);
                WrBatch wr = qp.wrStart();
                wr.wrId(i).wrFlags(signaled).send().setSge(sge).complete();
                takeOne(receives, 7, WcOpcode.RECV);
                takeOne(sends, i, WcOpcode.SEND);
              }
            });

    assertThat(bytes).isZero();
  }

  private static void takeOne(ExtendedCompletionQueue cq, long wrId, WcOpcode opcode) {
    PollBatch batch = cq.startPoll();
    while (!batch.nextPoll()) {
      batch.close();
      batch = cq.startPoll();
    }
    if (batch.wrId() != wrId
        || batch.status() != WcStatus.SUCCESS
        || batch.readOpcode() != opcode) {
      throw new AssertionError("another completion");
    }
    batch.close();
  }

  /** A list that was made before; polling makes one record for each completion. */
  @Test
  void postingListsAllocatesNothingAndPollingItsRecords() {
    List<RecvWr> receive = List.of(RecvWr.of(7, into.sge()));
    List<SendWr> send = List.of(SendWr.send(8, from.sge()));
    WorkCompletion[] done = new WorkCompletion[1];
    long record = ThreadAllocation.bytes(() -> done[0] = completion());

    long bytes =
        ThreadAllocation.bytes(
            () -> {
              for (int i = 0; i < MESSAGES; i++) {
                other.qp().postRecv(receive);
                one.qp().postSend(send);
                pollOne(receives, done);
                pollOne(sends, done);
              }
            });

    assertThat(bytes).isEqualTo(2 * MESSAGES * record);
  }

  private static WorkCompletion completion() {
    return new WorkCompletion(
        7, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, 0, 1, 1, Completions.flags(0), null);
  }

  private static void pollOne(ExtendedCompletionQueue cq, WorkCompletion[] into) {
    while (cq.poll(into) == 0) {
      Thread.onSpinWait();
    }
    if (into[0].status() != WcStatus.SUCCESS) {
      throw new AssertionError(into[0]);
    }
  }
}
