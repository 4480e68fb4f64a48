// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.XrcLoopback;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Extended reliable connections: atomics, and completions polled field by field. */
final class XrcCasesTest {
  private static final int WORD = 8;
  private static final int MESSAGE = 1024;
  private static final long ONES = 0x0101_0101_0101_0101L;

  @AutoClose private final XrcLoopback bed = new XrcLoopback();

  private SendWr.RemoteTarget target() {
    return new SendWr.RemoteTarget(bed.owner().region().addr(), bed.owner().region().rkey());
  }

  private void post(SendWr wr) {
    bed.initiatorQp().postSend(wr.toSrq(bed.owner().srq().srqNum()));
  }

  private void assertWords(long fetched, long left) {
    assertThat(ConnectedPair.word(bed.initiator().region())).as("fetched").isEqualTo(fetched);
    assertThat(ConnectedPair.word(bed.owner().region())).as("left behind").isEqualTo(left);
  }

  @Test
  @Tag("PYV-atomic-AtomicTest.xrc_atomic_fetch_and_add")
  void aNumberIsAdded() {
    ConnectedPair.setWord(bed.owner().region(), ONES);

    post(SendWr.fetchAndAdd(1, target(), 2 * ONES, bed.initiator().region().sge(0, WORD)));

    assertThat(bed.initiator().await(bed.emulator())).isEqualTo("1 FETCH_ADD");
    assertWords(ONES, 3 * ONES);
  }

  @Test
  @Tag("test_atomic.AtomicTest.test_xrc_atomic_cmp_and_swap")
  void aNumberIsSwappedIfItIsTheOneExpected() {
    ConnectedPair.setWord(bed.owner().region(), ONES);

    post(SendWr.compareAndSwap(1, target(), 2 * ONES, 0, bed.initiator().region().sge(0, WORD)));
    assertThat(bed.initiator().await(bed.emulator())).isEqualTo("1 COMP_SWAP");
    assertWords(ONES, ONES);

    post(SendWr.compareAndSwap(2, target(), ONES, 0, bed.initiator().region().sge(0, WORD)));
    assertThat(bed.initiator().await(bed.emulator())).isEqualTo("2 COMP_SWAP");
    assertWords(ONES, 0);
  }

  /** Waits until the queue has a completion, and takes just that one. */
  private static void assertTaken(ExtendedCompletionQueue cq, long wrId, WcOpcode opcode) {
    PollBatch batch = cq.startPoll();
    for (int polls = 0; !batch.nextPoll(); polls++) {
      assertThat(polls).isLessThan(100);
      batch = cq.startPoll();
    }
    assertThat(batch.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(batch.wrId()).isEqualTo(wrId);
    assertThat(batch.readOpcode()).isEqualTo(opcode);
    assertThat(batch.nextPoll()).isFalse();
    batch.close();
  }

  @Test
  @Tag("PYV-cqex-CqExTestCase.xrc_traffic")
  @Tag("test_cqex.CqExTestCase.test_xrc_traffic_cq_ex")
  void aHundredMessagesArePolledFieldByField() {
    for (int i = 0; i < 100; i++) {
      byte[] message = Bytes.pattern(MESSAGE, i);
      Bytes.into(bed.initiator().region(), 0, message);
      bed.owner().srq().postRecv(RecvWr.of(i, bed.owner().region().sge(0, MESSAGE)));

      post(SendWr.send(i, bed.initiator().region().sge(0, MESSAGE)));

      assertTaken(bed.owner().cq(), i, WcOpcode.RECV);
      assertTaken(bed.initiator().cq(), i, WcOpcode.SEND);
      assertThat(Bytes.in(bed.owner().region(), 0, MESSAGE)).isEqualTo(message);
    }
  }
}
