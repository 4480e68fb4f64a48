// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * When a slot of the send queue is free again: when the completion of its send, or of a later one,
 * was polled, as with the drivers of adapters.
 */
final class SendSlotTest {
  @AutoClose private final Pair pair = Pair.on(LinkForm.OBJECTS).cap(CAP).connect();
  private final QueuePair qp = pair.a().qp();

  private static final int SLOTS = 4;
  private static final QpCap CAP = QpCap.of(SLOTS);
  private static final SendWr BAD_KEY = SendWr.send(7, new Sge(0, 8, 0xdead_beef));

  private SendWr write(long wrId) {
    return write(pair, wrId);
  }

  private static SendWr write(Pair pair, long wrId) {
    return SendWr.rdmaWrite(wrId, pair.b().region().addr(), pair.b().region().rkey());
  }

  /** Posts as long as there is room, up to 1,000, and returns how often there was. */
  private static int postUntilFull(QueuePair qp, SendWr wr) {
    for (int posted = 0; posted < 1_000; posted++) {
      if (Errnos.of(() -> qp.postSend(wr)) == Errno.ENOMEM) {
        return posted;
      }
    }
    return 1_000;
  }

  private static String refusal(QueuePair qp, SendWr wr) {
    BadWorkRequestException refusal =
        catchThrowableOfType(BadWorkRequestException.class, () -> qp.postSend(wr));
    assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM);
    return refusal.getMessage();
  }

  @Test
  void onePolledCompletionIsOneSlot() {
    assertThat(postUntilFull(qp, write(1))).isEqualTo(SLOTS);
    pair.drain();

    for (int round = 0; round < 20; round++) {
      assertThat(pair.a().sendCq().poll(1)).hasSize(1);
      assertThat(postUntilFull(qp, write(1))).isEqualTo(1);
      pair.drain();
    }
  }

  @Test
  void unsignaledSendsAreFreedByTheNextPolledOne() {
    SendWr silent = write(1).unsignaled();
    qp.postSend(List.of(silent, silent, write(2), silent));
    pair.drain();
    assertThat(postUntilFull(qp, silent)).isZero();

    assertThat(pair.a().sends()).containsExactly("2 RDMA_WRITE");

    assertThat(postUntilFull(qp, silent)).isEqualTo(3);
  }

  @Test
  void aBatchOfPollsFreesWithEachStep() {
    ExtendedCompletionQueue cq = pair.a().context().createCqEx(CqInitAttrEx.of(16));
    QueuePair qp = failing(cq);
    assertThat(postUntilFull(qp, write(1))).isEqualTo(SLOTS);

    try (PollBatch batch = cq.startPoll()) {
      assertThat(batch.nextPoll()).isTrue();
      assertThat(postUntilFull(qp, write(1))).isEqualTo(1);
      assertThat(batch.nextPoll()).isTrue();
      assertThat(postUntilFull(qp, write(1))).isEqualTo(1);
    }

    assertThat(postUntilFull(qp, write(1))).isZero();
  }

  /** A queue pair in ERR, which completes at once. */
  private QueuePair failing(ExtendedCompletionQueue cq) {
    QueuePair qp = pair.a().pd().createQp(new QpInitAttr(QpType.RC, cq, cq, null, CAP, false));
    qp.modify(QpAttr.to(QpState.ERR));
    return qp;
  }

  @Test
  void theMessageTellsWhatWaitsForAPoll() {
    qp.postSend(List.of(write(1), write(2), write(3)));
    pair.drain();
    qp.postSend(write(4));

    assertThat(refusal(qp, write(5)))
        .endsWith("the send queue is full: it holds 4 (done and waiting only for a poll: 3)");
  }

  @Test
  void theMessageTellsWhenThereWillBeNothingToPoll() {
    SendWr silent = write(1).unsignaled();
    assertThat(postUntilFull(qp, silent)).isEqualTo(SLOTS);
    pair.drain();

    assertThat(refusal(qp, silent))
        .endsWith(
            "the send queue is full: it holds 4, of which none is signaled, so that no poll will"
                + " free a slot");
  }

  @Test
  void anUnsignaledSendThatFailsIsFreedByItsPoll() {
    SendWr silent = write(1).unsignaled();
    qp.postSend(List.of(silent, silent, silent, BAD_KEY.unsignaled()));
    pair.drain();
    assertThat(refusal(qp, silent)).endsWith("waiting only for a poll: 4)");

    assertThat(pair.a().sends()).containsExactly("7 LOC_PROT_ERR");

    assertThat(postUntilFull(qp, silent)).isEqualTo(SLOTS);
  }

  @Test
  void flushedSendsHoldTheirSlots() {
    qp.postSend(List.of(BAD_KEY, write(1), write(2)));
    pair.drain();
    assertThat(pair.a().state()).isEqualTo(QpState.ERR);

    assertThat(postUntilFull(qp, write(3).unsignaled())).isEqualTo(1);
    assertThat(pair.a().sendCq().poll(2)).hasSize(2);

    assertThat(postUntilFull(qp, write(3))).isEqualTo(2);
  }

  @Test
  void sendsFlushedInSqeHoldTheirSlots() {
    try (Pair own = Pair.on(LinkForm.OBJECTS).type(QpType.UC).cap(CAP).connect()) {
      QueuePair full = own.a().qp();
      full.postSend(BAD_KEY);
      own.drain();
      assertThat(own.a().state()).isEqualTo(QpState.SQE);

      assertThat(postUntilFull(full, write(own, 1))).isEqualTo(SLOTS - 1);
      full.modify(QpAttr.to(QpState.RTS));
      assertThat(postUntilFull(full, write(own, 1))).isZero();

      assertThat(own.a().sends()).hasSize(SLOTS);
      assertThat(postUntilFull(full, write(own, 1))).isEqualTo(SLOTS);
    }
  }

  @Test
  void resetFreesAll() {
    SendWr silent = write(1).unsignaled();
    assertThat(postUntilFull(qp, silent)).isEqualTo(SLOTS);
    pair.drain();

    qp.modify(QpAttr.to(QpState.RESET));
    pair.b().qp().modify(QpAttr.to(QpState.RESET));
    pair.connect();

    assertThat(postUntilFull(qp, silent)).isEqualTo(SLOTS);
  }

  @Test
  void aSmallerQueueHoldsWhatWaitsForAPoll() {
    qp.postSend(List.of(write(1), write(2), write(3)));
    pair.drain();

    assertThatThrownBy(() -> qp.modify(new QpAttr().cap(QpCap.of(2))))
        .hasMessageContaining("CAP max_send_wr 2 is not 3 to ");
    assertThat(pair.a().sendCq().poll(1)).hasSize(1);
    qp.modify(new QpAttr().cap(QpCap.of(2)));

    assertThat(postUntilFull(qp, write(4))).isZero();
  }

  @Test
  void aPollFreesOnlySlotsOfTheQueuePairItIsAbout() {
    QueuePair other = pair.a().createQp(CAP);
    other.modify(QpAttr.to(QpState.ERR));
    postUntilFull(qp, write(1));
    pair.drain();
    assertThat(postUntilFull(other, write(2))).isEqualTo(SLOTS);

    assertThat(pair.a().sendCq().poll(SLOTS - 1)).hasSize(SLOTS - 1);
    assertThat(postUntilFull(other, write(2))).isZero();
    assertThat(pair.a().sendCq().poll(2)).hasSize(2);

    assertThat(postUntilFull(other, write(2))).isEqualTo(1);
    assertThat(postUntilFull(qp, write(1))).isEqualTo(SLOTS);
  }

  @Test
  void resetOfOneQueuePairLeavesTheSlotsOfOthersOnTheQueueAlone() {
    QueuePair other = pair.a().createQp(CAP);
    other.modify(QpAttr.to(QpState.ERR));
    other.postSend(write(2));
    postUntilFull(qp, write(1));
    pair.drain();

    other.modify(QpAttr.to(QpState.RESET));
    assertThat(postUntilFull(qp, write(1))).isZero();
    assertThat(pair.a().sends()).hasSize(SLOTS);

    assertThat(postUntilFull(qp, write(1))).isEqualTo(SLOTS);
  }

  @Test
  void aLaterCompletionStandsForOnesThatWereOverwritten() {
    CqInitAttrEx attr = CqInitAttrEx.of(2).withFlags(CreateCqAttrFlag.IGNORE_OVERRUN);
    ExtendedCompletionQueue cq = pair.a().context().createCqEx(attr);
    QueuePair qp = failing(cq);
    assertThat(postUntilFull(qp, write(1))).isEqualTo(SLOTS);

    assertThat(cq.poll(1)).hasSize(1);

    assertThat(postUntilFull(qp, write(1))).isEqualTo(SLOTS - 1);
  }

  @Test
  void completionsLostToAnOverrunHoldTheirSlotsUntilReset() {
    try (Pair own = Pair.on(LinkForm.OBJECTS).cap(CAP).cqe(2).connect()) {
      QueuePair full = own.a().qp();
      postUntilFull(full, write(own, 1));
      own.drain();
      assertThat(own.a().events()).contains(EventType.CQ_ERR);

      assertThat(own.a().sends()).hasSize(2);
      assertThat(postUntilFull(full, write(own, 1))).isEqualTo(2);
      assertThat(own.a().sends()).isEmpty();
      assertThat(postUntilFull(full, write(own, 1))).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void onSoftRoceASlotIsFreeWhenItsSendIsDone(LinkForm form) {
    try (Pair own = Pair.on(form).profile(DeviceProfile.softRoce()).cap(QpCap.of(3)).connect()) {
      QueuePair full = own.a().qp();
      for (int round = 0; round < 20; round++) {
        assertThat(postUntilFull(full, write(own, 1))).isEqualTo(3);
        assertThat(refusal(full, write(own, 1))).endsWith("the send queue is full: it holds 3");
        own.drain();
      }
      assertThat(own.a().sends()).hasSize(60);
    }
  }
}
