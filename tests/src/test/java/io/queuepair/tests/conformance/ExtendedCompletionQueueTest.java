// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.conformance.QpFixture.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Creating an extended completion queue and polling it in batches. A flushed send completes in the
 * moment in which it is posted.
 */
final class ExtendedCompletionQueueTest {
  private static final int MAX_CQE = 100;
  private static final int MAX_CQ = 4;
  private static final Set<CreateCqWcFlag> NOT_OFFERED =
      EnumSet.of(CreateCqWcFlag.WITH_FLOW_TAG, CreateCqWcFlag.WITH_TM_INFO);
  private static final Set<Thread.State> ASLEEP =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  @AutoClose
  private final QpFixture bench =
      new QpFixture(
          DeviceProfile.standard()
              .withLimit(DeviceLimit.MAX_CQE, MAX_CQE)
              .withLimit(DeviceLimit.MAX_CQ, MAX_CQ));

  private final Context context = bench.context();
  private final ExtendedCompletionQueue cq = context.createCqEx(CqInitAttrEx.of(4));

  private static List<Long> batch(ExtendedCompletionQueue queue) {
    List<Long> wrIds = new ArrayList<>();
    try (PollBatch batch = queue.startPoll()) {
      while (batch.nextPoll()) {
        wrIds.add(batch.wrId());
      }
    }
    return wrIds;
  }

  @Test
  void aBatchThatHasEndedDoesNotEndTheNext() {
    flush(bench.flushing(cq), 1, 2);
    PollBatch ended = cq.startPoll();
    ended.close();

    try (PollBatch next = cq.startPoll()) {
      ended.close();
      assertRefused(Errno.EINVAL, "the batch of polls has ended", ended::wrId);
      assertThat(next.nextPoll()).isTrue();
      assertThat(next.wrId()).isEqualTo(2);
    }
  }

  private List<EventType> events() {
    List<EventType> events = new ArrayList<>();
    context.getAsyncEvent(Duration.ZERO).ifPresent(event -> events.add(event.eventType()));
    return events;
  }

  @Test
  void aBatchTakesWhatComesWhileItIsOpen() {
    QueuePair qp = bench.flushing(cq);
    flush(qp, 1, 1);

    PollBatch batch = cq.startPoll();
    assertThat(batch.nextPoll()).isTrue();
    assertThat(batch.nextPoll()).isFalse();
    flush(qp, 2, 2);

    assertThat(batch.nextPoll()).isTrue();
    assertThat(batch.wrId()).isEqualTo(2);
    batch.close();
  }

  @Test
  void anEmptyQueueOpensNoBatch() {
    PollBatch empty = cq.startPoll();

    assertThat(empty.nextPoll()).isFalse();
    assertThat(cq.startPoll().nextPoll()).as("no batch is open").isFalse();
    empty.close();
  }

  @Test
  void anUnknownMaskOpensNoBatch() {
    flush(bench.flushing(cq), 1, 1);

    assertRefused(Errno.EINVAL, "comp_mask 2 is not 0", () -> cq.startPoll(new PollCqAttr(2)));

    assertThat(batch(cq)).containsExactly(1L);
  }

  @Test
  void aSecondBatchOfTheSameThreadIsRefused() {
    flush(bench.flushing(cq), 1, 2);
    PollBatch batch = cq.startPoll();

    assertRefused(Errno.EINVAL, "has a batch of polls open", cq::startPoll);
    assertRefused(Errno.EINVAL, "has a batch of polls open", () -> cq.poll(1));

    assertThat(batch.nextPoll()).isTrue();
    assertThat(batch.wrId()).isEqualTo(1);
    batch.close();
    assertThat(cq.toCq().poll(4)).extracting(WorkCompletion::wrId).containsExactly(2L);
  }

  @Test
  void theQueueCannotBeDestroyedDuringABatch() {
    QueuePair qp = bench.flushing(cq);
    flush(qp, 1, 1);
    PollBatch batch = cq.startPoll();
    qp.close();

    assertRefused(Errno.EBUSY, "a batch of polls is open", cq::close);

    batch.close();
    cq.close();
  }

  @Test
  void entriesOfABatchHaveNoRoomForOthersBeforeItsEnd() {
    QueuePair qp = bench.flushing(cq);
    flush(qp, 1, 4);
    PollBatch batch = cq.startPoll();

    assertRefused(Errno.EINVAL, "3 entries do not hold the 4", () -> cq.resize(3));
    flush(qp, 5, 5);

    assertThat(events()).containsExactly(EventType.CQ_ERR);
    assertRefused(Errno.EINVAL, "overran", () -> cq.resize(3));
    batch.close();
  }

  @Test
  void entriesOfABatchAreFreeAtItsEnd() {
    QueuePair qp = bench.flushing(cq);
    flush(qp, 1, 4);
    PollBatch batch = cq.startPoll();
    batch.nextPoll();
    batch.nextPoll();
    batch.close();

    flush(qp, 5, 6);

    assertThat(events()).isEmpty();
    cq.resize(4);
    assertThat(batch(cq)).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void anotherThreadWaitsForTheEndOfABatch() throws InterruptedException {
    flush(bench.flushing(cq), 1, 2);
    PollBatch batch = cq.startPoll();
    List<Long> taken = new ArrayList<>();
    Thread other = new Thread(() -> taken.addAll(batch(cq)));

    other.start();
    while (other.isAlive() && !ASLEEP.contains(other.getState())) {
      Thread.onSpinWait();
    }
    boolean waited = other.isAlive();
    batch.close();
    other.join();

    assertThat(waited).isTrue();
    assertThat(taken).containsExactly(2L);
  }

  @Test
  void anotherThreadIsRefusedByASingleThreadedQueue() throws InterruptedException {
    ExtendedCompletionQueue single =
        context.createCqEx(CqInitAttrEx.of(4).withFlags(CreateCqAttrFlag.SINGLE_THREADED));
    flush(bench.flushing(single), 1, 2);
    PollBatch batch = single.startPoll();
    List<VerbsException> refusals = new ArrayList<>();
    Thread other =
        new Thread(
            () -> {
              refusals.add(catchThrowableOfType(VerbsException.class, single::startPoll));
              refusals.add(catchThrowableOfType(VerbsException.class, batch::nextPoll));
              refusals.add(catchThrowableOfType(VerbsException.class, batch::close));
            });

    other.start();
    other.join();

    assertThat(refusals)
        .extracting(VerbsException::errno)
        .containsExactly(Errno.EINVAL, Errno.EINVAL, Errno.EINVAL);
    assertThat(batch.nextPoll()).isTrue();
    assertThat(batch.wrId()).isEqualTo(1);
    batch.close();
  }

  /** As the manual page says: a completion is always written to the next entry. */
  @Test
  void anIgnoredOverrunLosesTheOldest() {
    ExtendedCompletionQueue lossy =
        context.createCqEx(CqInitAttrEx.of(4).withFlags(CreateCqAttrFlag.IGNORE_OVERRUN));
    QueuePair qp = bench.flushing(lossy);

    flush(qp, 1, 10);

    assertThat(batch(lossy)).containsExactly(7L, 8L, 9L, 10L);
    assertThat(events()).isEmpty();
    flush(qp, 11, 11);
    assertThat(batch(lossy)).containsExactly(11L);
  }

  @Test
  void anIgnoredOverrunTakesTheEntriesOfABatchFirst() {
    ExtendedCompletionQueue lossy =
        context.createCqEx(CqInitAttrEx.of(4).withFlags(CreateCqAttrFlag.IGNORE_OVERRUN));
    QueuePair qp = bench.flushing(lossy);
    flush(qp, 1, 4);
    PollBatch batch = lossy.startPoll();

    flush(qp, 5, 6);

    assertThat(batch.nextPoll()).isTrue();
    assertThat(batch.wrId()).isEqualTo(1);
    batch.close();
    assertThat(batch(lossy)).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void aChannelOfAnotherContextIsRefused() {
    try (QpFixture other = QpFixture.standard()) {
      CompletionChannel foreign = other.context().createCompChannel();

      assertRefused(
          Errno.EINVAL,
          "another context",
          () -> context.createCqEx(CqInitAttrEx.of(4).withChannel(foreign)));
    }
  }

  @ParameterizedTest
  @EnumSource(CreateCqWcFlag.class)
  void eachFieldIsOfferedOrRefused(CreateCqWcFlag field) {
    CqInitAttrEx attr = CqInitAttrEx.of(4).withWcFlags(field);

    assertOffered(!NOT_OFFERED.contains(field), field, () -> context.createCqEx(attr));
    try (QpFixture linux = new QpFixture(DeviceProfile.softRoce())) {
      boolean isStandard = CreateCqWcFlag.standard().contains(field);
      assertOffered(isStandard, field, () -> linux.context().createCqEx(attr));
    }
  }

  private static void assertOffered(boolean isOffered, Enum<?> what, ThrowingCallable creation) {
    if (isOffered) {
      assertThat(Errnos.of(creation)).isNull();
    } else {
      assertRefused(Errno.EOPNOTSUPP, what.name(), creation);
    }
  }

  @Test
  void softRoceDoesNotIgnoreOverruns() {
    try (QpFixture linux = new QpFixture(DeviceProfile.softRoce())) {
      for (CreateCqAttrFlag flag : CreateCqAttrFlag.values()) {
        CqInitAttrEx attr = CqInitAttrEx.of(4).withFlags(flag);
        boolean isOffered = flag == CreateCqAttrFlag.SINGLE_THREADED;
        assertOffered(isOffered, flag, () -> linux.context().createCqEx(attr));
      }
    }
  }
}
