// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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

  private QueuePair flushing(CompletionQueue cq) {
    QueuePair qp = bench.pd().createQp(QpInitAttr.rc(cq, QpCap.of(16)));
    qp.modify(QpAttr.to(QpState.ERR));
    return qp;
  }

  private static void complete(QueuePair qp, int from, int to) {
    IntStream.rangeClosed(from, to).forEach(wrId -> qp.postSend(SendWr.send(wrId)));
  }

  private static List<Long> polled(CompletionQueue cq) {
    List<Long> wrIds = new ArrayList<>();
    cq.poll(MANY).forEach(wc -> wrIds.add(wc.wrId()));
    return wrIds;
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, call);
    assertThat(refusal).hasMessageContaining(reason);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void resizingKeepsCompletionsAndTheirOrder() {
    CompletionQueue cq = bench.context().createCq(4);
    QueuePair qp = flushing(cq);
    complete(qp, 1, 4);

    cq.resize(7);
    complete(qp, 5, 7);
    cq.resize(MAX_CQE);
    complete(qp, 8, 9);
    cq.resize(9);

    assertThat(cq.cqe()).isEqualTo(9);
    assertThat(polled(cq)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void resizingBelowWhatIsNotPolledIsRefused() {
    CompletionQueue cq = bench.context().createCq(10);
    complete(flushing(cq), 1, 6);

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

    complete(flushing(cq), 1, 3);

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
    complete(flushing(cq), 1, 1);

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
    List<QueuePair> sharers = IntStream.range(0, 5).mapToObj(i -> flushing(cq)).toList();

    for (int round = 1; round <= 10; round++) {
      for (QueuePair qp : sharers) {
        complete(qp, round, round);
      }
    }

    List<String> expected = new ArrayList<>();
    for (int round = 1; round <= 10; round++) {
      for (QueuePair qp : sharers) {
        expected.add(qp.qpNum() + ": " + round);
      }
    }
    assertThat(cq.poll(MANY)).extracting(wc -> wc.qpNum() + ": " + wc.wrId()).isEqualTo(expected);
  }

  @Test
  void queuesShareAChannelInTheOrderOfTheirCompletions() {
    CompletionChannel channel = bench.context().createCompChannel();
    List<CompletionQueue> queues = new ArrayList<>();
    List<QueuePair> pairs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      CompletionQueue armed = bench.context().createCq(4, channel);
      CompletionQueue silent = bench.context().createCq(4, channel);
      armed.reqNotify(false);
      queues.add(armed);
      pairs.add(flushing(armed));
      complete(flushing(silent), 1, 1);
    }

    for (int i = 19; i >= 0; i--) {
      complete(pairs.get(i), 1, 2);
    }

    for (int i = 19; i >= 0; i--) {
      assertThat(channel.getCqEvent(Duration.ZERO)).containsSame(queues.get(i));
    }
    assertThat(channel.getCqEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void anOverrunQueueGivesWhatItHeldAndNothingElse() {
    CompletionQueue cq = bench.context().createCq(2);
    QueuePair qp = flushing(cq);

    complete(qp, 1, 3);
    List<Long> held = polled(cq);
    complete(qp, 4, 4);

    assertThat(held).containsExactly(1L, 2L);
    assertThat(polled(cq)).isEmpty();
  }

  @Test
  void anOverrunQueueCannotBeUsedForAnythingNew() {
    CompletionQueue cq = bench.context().createCq(2, bench.context().createCompChannel());
    complete(flushing(cq), 1, 3);
    polled(cq);

    assertRefused(() -> cq.resize(50), "overran");
    assertRefused(() -> cq.reqNotify(false), "overran");
    assertRefused(() -> bench.pd().createQp(QpInitAttr.rc(cq, QpCap.of(2))), "overran");
    XrcDomain xrcd = bench.context().openXrcd();
    assertRefused(() -> xrcd.createSrq(bench.pd(), cq, new SrqAttr(4, 1, 0)), "overran");
  }
}
