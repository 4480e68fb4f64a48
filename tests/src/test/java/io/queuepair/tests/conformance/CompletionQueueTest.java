// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.QpFixture.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.XrcDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much a completion queue holds, who may share it, and what is left of one that overran. A
 * flushed send completes in the moment in which it is posted.
 */
final class CompletionQueueTest {
  private static final int MAX_CQE = 100;
  private static final int MANY = 1000;

  @AutoClose
  private final QpFixture bench =
      new QpFixture(DeviceProfile.standard().withLimit(DeviceLimit.MAX_CQE, MAX_CQE));

  private static List<Long> polled(CompletionQueue cq) {
    List<Long> wrIds = new ArrayList<>();
    cq.poll(MANY).forEach(wc -> wrIds.add(wc.wrId()));
    return wrIds;
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    Errnos.assertRefused(Errno.EINVAL, reason, call);
  }

  @Test
  void resizingKeepsCompletionsAndTheirOrder() {
    CompletionQueue cq = bench.context().createCq(4);
    QueuePair qp = bench.flushing(cq);
    flush(qp, 1, 4);

    cq.resize(7);
    flush(qp, 5, 7);
    cq.resize(MAX_CQE);
    flush(qp, 8, 9);
    cq.resize(9);

    assertThat(cq.cqe()).isEqualTo(9);
    assertThat(polled(cq)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void resizingBelowWhatIsNotPolledIsRefused() {
    CompletionQueue cq = bench.context().createCq(10);
    flush(bench.flushing(cq), 1, 6);

    assertRefused(() -> cq.resize(5), "5 entries do not hold the 6 not yet polled");

    assertThat(cq.cqe()).isEqualTo(10);
    assertThat(polled(cq)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    cq.resize(1);
    assertThat(cq.cqe()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, MAX_CQE + 1, Integer.MAX_VALUE})
  void sizesOutOfRangeAreRefused(int cqe) {
    CompletionQueue cq = bench.context().createCq(3);

    assertRefused(() -> cq.resize(cqe), cqe + " entries are not 1 to 100");
    assertRefused(() -> bench.context().createCq(cqe), cqe + " entries are not 1 to 100");

    assertThat(cq.cqe()).isEqualTo(3);
  }

  @Test
  void aShrunkQueueOverrunsAtItsNewSize() {
    CompletionQueue cq = bench.context().createCq(50);
    cq.resize(2);

    flush(bench.flushing(cq), 1, 3);

    assertThat(polled(cq)).containsExactly(1L, 2L);
    assertThat(bench.context().getAsyncEvent(Duration.ZERO))
        .hasValueSatisfying(event -> assertThat(event.eventType()).isEqualTo(EventType.CQ_ERR));
  }

  @Test
  void resizingKeepsTheQueueArmed() {
    CompletionChannel channel = bench.context().createCompChannel();
    CompletionQueue cq = bench.context().createCq(2, channel);
    cq.reqNotify(false);

    cq.resize(20);
    flush(bench.flushing(cq), 1, 1);

    assertThat(channel.getCqEvent(Duration.ZERO)).containsSame(cq);
  }

  @Test
  void aDestroyedQueueTakesNoVerbs() {
    CompletionChannel channel = bench.context().createCompChannel();
    CompletionQueue cq = bench.context().createCq(2, channel);
    cq.close();

    assertRefused(() -> cq.resize(4), "was destroyed");
    assertRefused(() -> cq.modify(1, 1), "was destroyed");
    assertRefused(() -> cq.reqNotify(false), "was destroyed");
    assertRefused(() -> cq.poll(1), "was destroyed");
  }

  /** Recorded of Linux 6.1: {@code cq_resize_values} and the sizes that create_cq gave. */
  @Test
  void softRoceRoundsSizesUpAsRecorded() {
    try (QpFixture linux = new QpFixture(DeviceProfile.softRoce())) {
      CompletionQueue cq = linux.context().createCq(10);
      assertThat(cq.cqe()).isEqualTo(15);

      int[] asked = {5, 10, 15, 16, 100, 1, 32_767};
      List<Integer> sizes = new ArrayList<>();
      for (int cqe : asked) {
        cq.resize(cqe);
        sizes.add(cq.cqe());
      }

      assertThat(sizes).containsExactly(7, 15, 15, 31, 127, 1, 32_767);
      assertRefused(() -> cq.resize(32_768), "not 1 to 32767");
      assertThat(linux.context().createCq(4).cqe()).isEqualTo(7);
    }
  }

  @Test
  void queuePairsShareAQueueEachInItsOrder() {
    CompletionQueue cq = bench.context().createCq(MAX_CQE);
    QueuePair one = bench.flushing(cq);
    QueuePair other = bench.flushing(cq);

    flush(one, 1, 2);
    flush(other, 1, 1);
    flush(one, 3, 3);

    assertThat(cq.poll(MANY))
        .extracting(WorkCompletion::qpNum)
        .containsExactly(one.qpNum(), one.qpNum(), other.qpNum(), one.qpNum());
  }

  /** The order is that of their completions; how many share one is in ChannelCasesTest. */
  @Test
  void queuesShareAChannelInTheOrderOfTheirCompletions() {
    CompletionChannel channel = bench.context().createCompChannel();
    CompletionQueue later = bench.context().createCq(4, channel);
    CompletionQueue sooner = bench.context().createCq(4, channel);
    CompletionQueue silent = bench.context().createCq(4, channel);
    later.reqNotify(false);
    sooner.reqNotify(false);

    for (CompletionQueue cq : List.of(silent, sooner, later)) {
      flush(bench.flushing(cq), 1, 2);
    }

    assertThat(channel.getCqEvent(Duration.ZERO)).containsSame(sooner);
    assertThat(channel.getCqEvent(Duration.ZERO)).containsSame(later);
    assertThat(channel.getCqEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void anOverrunQueueGivesWhatItHeldAndCannotBeUsedForAnythingNew() {
    CompletionQueue cq = bench.context().createCq(2, bench.context().createCompChannel());
    QueuePair qp = bench.flushing(cq);

    flush(qp, 1, 3);
    assertThat(polled(cq)).containsExactly(1L, 2L);
    flush(qp, 4, 4);
    assertThat(polled(cq)).isEmpty();

    assertRefused(() -> cq.resize(50), "overran");
    assertRefused(() -> cq.reqNotify(false), "overran");
    assertRefused(() -> bench.pd().createQp(QpInitAttr.rc(cq, QpCap.of(2))), "overran");
    XrcDomain xrcd = bench.context().openXrcd();
    assertRefused(() -> xrcd.createSrq(bench.pd(), cq, new SrqAttr(4, 1, 0)), "overran");
  }
}
