// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a batch posts, and when. */
final class WrBatchTest {
  @AutoClose
  private final ExtendedQpFixture bed =
      new ExtendedQpFixture(
          QpType.RC,
          EnumSet.of(
              SendOpsFlag.WITH_SEND, SendOpsFlag.WITH_RDMA_WRITE, SendOpsFlag.WITH_RDMA_READ));

  private static void assertEinval(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
  }

  private WrBatch write(WrBatch wr, long wrId) {
    return wr.wrId(wrId)
        .rdmaWrite(bed.remote().rkey(), bed.remote().addr())
        .setSge(bed.local().sge());
  }

  @Test
  void nothingRunsBeforeItIsComplete() {
    try (WrBatch wr = bed.qp().wrStart()) {
      wr.wrFlags(SendFlag.SIGNALED);
      write(wr, 1);
      write(wr, 2);
      assertThat(bed.sends()).isEmpty();

      wr.complete();
    }

    assertThat(bed.sends()).containsExactly("1 RDMA_WRITE", "2 RDMA_WRITE");
  }

  @Test
  void closingWithoutCompletingLeavesNothing() {
    try (WrBatch wr = bed.qp().wrStart()) {
      wr.wrFlags(SendFlag.SIGNALED);
      for (int i = 0; i < ExtendedQpFixture.MAX_SEND_WR; i++) {
        write(wr, i);
      }
    }
    WrBatch aborted = bed.qp().wrStart();
    write(aborted, 20);
    aborted.abort();
    assertThat(bed.sends()).isEmpty();

    bed.post(wr -> write(wr, 30));

    assertThat(bed.sends()).containsExactly("30 RDMA_WRITE");
  }

  @Test
  void identifierAndFlagsStayUntilSetAgainAlsoInTheNextBatch() {
    try (WrBatch wr = bed.qp().wrStart()) {
      wr.wrId(7).wrFlags(SendFlag.SIGNALED);
      wr.send();
      wr.send();
      wr.wrId(8).send();
      wr.wrFlags().wrId(9).send();
      wr.complete();
    }
    assertThat(bed.sends()).containsExactly("7 SEND", "7 SEND", "8 SEND");
    try (WrBatch wr = bed.qp().wrStart()) {
      wr.send();
      wr.wrFlags(SendFlag.SIGNALED).send();
      wr.complete();
    }

    assertThat(bed.sends()).containsExactly("9 SEND");
  }

  @Test
  void anIdentifierSetAfterTheBuilderIsForTheNextRequest() {
    bed.post(wr -> wr.wrId(1).send().wrId(2).setSge(bed.local().sge()).send());

    assertThat(bed.sends()).containsExactly("1 SEND", "2 SEND");
  }

  @Test
  void inlineDataIsCopiedWhenItIsSetFromAnyMemory() {
    ByteBuffer onTheHeap = ByteBuffer.wrap(Bytes.pattern(8, 1));
    onTheHeap.position(2);

    bed.post(
        wr -> {
          wr.send().setInlineData(onTheHeap);
          onTheHeap.put(3, (byte) 0);
        });

    assertThat(bed.sends()).containsExactly("0 SEND");
    assertThat(bed.receives()).containsExactly("0 RECV 6");
    assertThat(Bytes.in(bed.remote(), 0, 6))
        .containsExactly(2 * 7 + 1, 3 * 7 + 1, 4 * 7 + 1, 5 * 7 + 1, 6 * 7 + 1, 7 * 7 + 1);
    assertThat(onTheHeap.position()).isEqualTo(2);
  }

  @Test
  void partsOfInlineDataAndRangesOfMemoryAreJoined() {
    Bytes.into(bed.local(), 0, Bytes.pattern(64, 3));

    bed.post(
        wr -> {
          wr.send()
              .setInlineDataList(
                  List.of(
                      ByteBuffer.wrap(new byte[] {1, 2}),
                      ByteBuffer.allocate(0),
                      ByteBuffer.wrap(new byte[] {3})));
          wr.send().setSgeList(List.of(bed.local().sge(10, 3), bed.local().sge(0, 2)));
        });

    assertThat(bed.receives()).containsExactly("0 RECV 3", "1 RECV 5");
    assertThat(Bytes.in(bed.remote(), 0, 3)).containsExactly(1, 2, 3);
    assertThat(Bytes.in(bed.remote(), 128, 5))
        .containsExactly(10 * 7 + 3, 11 * 7 + 3, 12 * 7 + 3, 3, 10);
  }

  @Test
  void aRequestWithoutDataIsAMessageOfLengthZero() {
    bed.post(wr -> wr.wrId(1).send().wrId(2).rdmaRead(0, 0).wrId(3).send().setSgeList(List.of()));

    assertThat(bed.sends()).containsExactly("1 SEND", "2 RDMA_READ 0", "3 SEND");
    assertThat(bed.receives()).containsExactly("0 RECV 0", "1 RECV 0");
  }

  @Test
  void aBatchWithoutRequestsIsNoMistake() {
    bed.post(wr -> {});

    assertThat(bed.sends()).isEmpty();
  }

  @Test
  void batchesAndListsFollowEachOther() {
    bed.post(wr -> write(wr, 1));
    bed.qp().postSend(SendWr.send(2));
    bed.post(wr -> write(wr, 3));

    assertThat(bed.sends()).containsExactly("1 RDMA_WRITE", "2 SEND", "3 RDMA_WRITE");
  }

  @Test
  void afterItsEndABatchIsOfNoUse() {
    WrBatch over = bed.qp().wrStart();
    over.complete();

    assertEinval(over::send);
    assertEinval(() -> over.wrId(1));
    assertEinval(over::complete);
    over.close();
    try (WrBatch next = bed.qp().wrStart()) {
      assertEinval(over::send);
      assertEinval(over::complete);
      over.close();
      next.complete();
    }
  }

  @Test
  void theSameThreadCannotPostOtherwiseMeanwhile() {
    try (WrBatch wr = bed.qp().wrStart()) {
      assertEinval(() -> bed.qp().wrStart());
      assertEinval(() -> bed.qp().postSend(SendWr.send(1)));
      wr.wrFlags(SendFlag.SIGNALED).wrId(2).send();
      wr.complete();
    }

    bed.qp().postSend(SendWr.send(3));
    assertThat(bed.sends()).containsExactly("2 SEND", "3 SEND");
  }

  @Test
  void aRefusedBatchIsOverToo() {
    assertThat(bed.refusalOf(wr -> wr.sendImm(1))).isNotNull();

    bed.qp().postSend(SendWr.send(3));
    bed.post(wr -> wr.wrId(4).send());

    assertThat(bed.sends()).containsExactly("3 SEND", "4 SEND");
  }

  @Test
  void aQueuePairWithAnOpenBatchIsNotDestroyed() {
    try (WrBatch wr = bed.qp().wrStart()) {
      assertThatThrownBy(bed.qp()::close)
          .isInstanceOfSatisfying(
              VerbsException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EBUSY));
      wr.complete();
    }

    bed.qp().close();
    assertEinval(bed.qp()::wrStart);
  }

  @Test
  void theEndOfTheContextEndsTheBatch() {
    try (WrBatch wr = bed.qp().wrStart()) {
      wr.send();
      bed.context().close();

      assertEinval(wr::complete);
    }
  }
}
