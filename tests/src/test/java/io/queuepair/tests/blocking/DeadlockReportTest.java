// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In virtual time a wait that can never end says so, and what everybody is waiting for; so does a
 * loop of polls that can never find anything.
 */
@Timeout(60)
final class DeadlockReportTest {
  private static final int LIMIT = 50;

  /** On a network that ends a loop of few polls. */
  @AutoClose private final Pair pair = pair(limited()).connect();

  private static String messageOf(ThrowingCallable wait) {
    VerbsException deadlock = catchThrowableOfType(VerbsException.class, wait);
    assertThat(deadlock).isNotNull();
    assertThat(deadlock.errno()).isEqualTo(Errno.EDEADLK);
    return deadlock.getMessage();
  }

  private static Pair connected(int timeout) {
    return Pair.on(LinkForm.OBJECTS).rts(attr -> attr.timeout(timeout)).connect();
  }

  private static String qp(QueuePair qp) {
    return String.format("QP 0x%06x", qp.qpNum());
  }

  @Test
  void timeoutZeroWaitsForAnAcknowledgementThatThePeerInResetNeverSends() {
    try (Pair pair = connected(0)) {
      pair.b().qp().modify(QpAttr.to(QpState.RESET));
      pair.a().postSend(SendWr.send(7));

      String message = messageOf(() -> pair.await(pair.a().sendCq()));

      assertThat(message)
          .startsWith("ibv_poll_cq: EDEADLK: the wait for a completion of " + qp(pair.a().qp()))
          .contains("would block for ever: the network is idle")
          .contains(
              qp(pair.a().qp())
                  + " (RC, RTS): 1 send not completed; the first, wr_id 7, SEND to "
                  + qp(pair.b().qp())
                  + " of 10.0.0.2, waits for the acknowledgement of PSN 100 without limit, as"
                  + " TIMEOUT is 0")
          .contains(qp(pair.b().qp()) + " (RC, RESET): nothing is posted")
          .contains("dropped 1 time: WRONG_QP_STATE")
          .doesNotContain("thread");
    }
  }

  @Test
  void aSuspendedSendQueueSendsNothing() {
    try (Pair pair = connected(14)) {
      pair.a().qp().modify(QpAttr.to(QpState.SQD));
      pair.a().postSend(SendWr.send(7));

      assertThat(messageOf(() -> pair.await(pair.a().sendCq())))
          .contains("(RC, SQD): 1 send not completed")
          .contains("is suspended in SQD, and continues in RTS");
    }
  }

  @Test
  void aReadCannotStartWithoutResourcesForIt() {
    try (Pair pair = connected(14)) {
      pair.a().qp().modify(QpAttr.to(QpState.SQD));
      pair.a()
          .postSend(
              SendWr.rdmaRead(
                  7,
                  pair.b().region().addr(),
                  pair.b().region().rkey(),
                  pair.a().region().sge(0, 8)));
      pair.a().qp().modify(new QpAttr().maxRdAtomic(0));
      pair.a().qp().modify(QpAttr.to(QpState.RTS));

      assertThat(messageOf(() -> pair.await(pair.a().sendCq())))
          .contains("the first, wr_id 7, RDMA_READ to")
          .contains("cannot start, as MAX_QP_RD_ATOMIC is 0");
    }
  }

  @Test
  void inInitNothingIsTaken() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).create()) {
      pair.b().toInit();
      pair.b().postRecv(RecvWr.of(1));

      assertThat(messageOf(() -> pair.await(pair.b().recvCq())))
          .contains("(RC, INIT): 1 receive posted; nothing is taken before RTR");
    }
  }

  @Test
  void aQueueThatHasOverrunTakesNoMore() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).cqe(1).sqSigAll().connect()) {
      pair.a().qp().modify(QpAttr.to(QpState.ERR));
      pair.a().postSend(SendWr.send(1));
      pair.a().postSend(SendWr.send(2));
      pair.await(pair.a().sendCq());

      assertThat(messageOf(() -> pair.await(pair.a().sendCq())))
          .contains("in a queue that has overrun and takes no more");
    }
  }

  @Test
  void nothingIsAnnouncedUnlessAskedAndNoEventComesOfNothing() {
    try (Pair pair = connected(14)) {
      assertThat(messageOf(() -> pair.a().channel().getCqEvent()))
          .startsWith("ibv_get_cq_event: EDEADLK")
          .contains("of which 0 have asked for one (ibv_req_notify_cq)");
      assertThat(messageOf(() -> pair.a().context().getAsyncEvent()))
          .contains("the wait for an asynchronous event would block for ever");
    }
  }

  @Test
  void theMessageIsTheSameInEveryRunAndNotLong() {
    String first = ofManyQueuePairs();

    assertThat(ofManyQueuePairs()).isEqualTo(first);
    assertThat(first.lines().count()).isLessThan(20);
    assertThat(first).contains("92 more queue pairs");
  }

  private static String ofManyQueuePairs() {
    try (Emulator emulator = Emulator.inMemory()) {
      Context context = emulator.addDevice("10.0.0.1").open();
      CompletionQueue cq = context.createCq(8);
      for (int i = 0; i < 100; i++) {
        context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      }
      assertThat(emulator.report().lines()).hasSize(100);
      return messageOf(() -> emulator.await(cq));
    }
  }

  /** The wait for the dead peer ends as documented, whatever another one asks for ever. */
  @Test
  void aRetryThatIsStillDueIsWaitedFor() {
    InMemoryFabric network = InMemoryFabric.virtualTime();
    try (Pair dead = Pair.on(network).rts(attr -> attr.timeout(22).retryCnt(1)).connect();
        Pair asking =
            Pair.on(network)
                .hosts("10.0.0.3", "10.0.0.4")
                .rts(attr -> attr.rnrRetry(7))
                .connect()) {
      asking.a().postSend(SendWr.send(1));
      dead.b().qp().modify(QpAttr.to(QpState.RESET));
      dead.a().postSend(SendWr.send(2));

      assertThat(dead.await(dead.a().sendCq()).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(network.scheduler().nowNanos()).isGreaterThan(30_000_000_000L);
    }
  }

  @Test
  void aWaitWithATimeoutJustEnds() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).rts(attr -> attr.rnrRetry(7)).connect()) {
      pair.b().qp().modify(new QpAttr().minRnrTimer(31));
      pair.a().sendCq().reqNotify(false);
      pair.a().postSend(SendWr.send(7));

      assertThat(pair.a().channel().getCqEvent(Duration.ofSeconds(60))).isEmpty();
      assertThat(pair.nowNanos()).isEqualTo(60_000_000_000L);
    }
  }

  private static InMemoryOptions limited() {
    return InMemoryOptions.virtualTime().withMaxEmptyPolls(LIMIT);
  }

  private static Pair.Builder pair(InMemoryOptions options) {
    return Pair.on(InMemoryFabric.create(options));
  }

  /** Polls as long as nothing is found, and says how it ended. */
  private static Ending pollUntilRefused(BooleanSupplier poll) {
    int[] polls = new int[1];
    VerbsException refusal =
        catchThrowableOfType(
            VerbsException.class,
            () -> {
              do {
                polls[0]++;
              } while (!poll.getAsBoolean());
            });
    return new Ending(polls[0], refusal);
  }

  private record Ending(int polls, VerbsException refusal) {}

  @Test
  void theMillionthPollOnAnIdleNetworkIsRefusedWithTheReportOfAWait() {
    try (Emulator emulator = Emulator.inMemory()) {
      CompletionQueue cq = emulator.addDevice("10.0.0.1").open().createCq(4);

      Ending ending = pollUntilRefused(() -> !cq.poll(1).isEmpty());

      assertThat(ending.polls()).isEqualTo(1_000_000);
      assertThat(ending.refusal().errno()).isEqualTo(Errno.EDEADLK);
      assertThat(ending.refusal())
          .hasMessageStartingWith(
              "ibv_poll_cq: EDEADLK: the wait for a completion in a queue that no queue pair uses"
                  + " would block for ever: the last 1000000 polls found nothing, and the network"
                  + " is idle");
    }
  }

  /** The ways to look without waiting for ever. */
  private enum PollForm {
    LIST("ibv_poll_cq"),
    ARRAY("ibv_poll_cq"),
    EXTENDED("ibv_start_poll"),
    ANNOUNCEMENT("ibv_get_cq_event"),
    EVENT("ibv_get_async_event"),
    ANNOUNCEMENT_WITHIN_A_MILLISECOND("ibv_get_cq_event");

    private final String verb;

    PollForm(String verb) {
      this.verb = verb;
    }

    private boolean find(Pair pair, ExtendedCompletionQueue extended) {
      return switch (this) {
        case LIST -> !pair.a().sendCq().poll(1).isEmpty();
        case ARRAY -> pair.a().sendCq().poll(new WorkCompletion[3]) > 0;
        case EXTENDED -> extended.startPoll(PollCqAttr.NONE).nextPoll();
        case ANNOUNCEMENT -> pair.a().channel().getCqEvent(Duration.ZERO).isPresent();
        case EVENT -> pair.a().context().getAsyncEvent(Duration.ZERO).isPresent();
        case ANNOUNCEMENT_WITHIN_A_MILLISECOND ->
            pair.a().channel().getCqEvent(Duration.ofMillis(1)).isPresent();
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFormOfPollIsRefused(PollForm form) {
    ExtendedCompletionQueue extended = pair.a().context().createCqEx(CqInitAttrEx.of(4));

    Ending ending = pollUntilRefused(() -> form.find(pair, extended));

    assertThat(ending.polls()).isEqualTo(LIMIT);
    assertThat(ending.refusal().errno()).isEqualTo(Errno.EDEADLK);
    assertThat(ending.refusal().verb()).isEqualTo(form.verb);
    assertThat(ending.refusal())
        .hasMessageContaining("the last 50 polls found nothing, and the network is idle")
        .hasMessageContaining("(RC, RTS): nothing is posted");
  }

  /** RNR_RETRY 7: there is always a packet, or a timer. */
  @Test
  void aReceiverThatIsNeverReadyEndsTheLoop() {
    try (Pair pair = pair(limited()).rts(attr -> attr.rnrRetry(7)).connect()) {
      pair.a().postSend(SendWr.send(7));

      Ending ending = pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty());

      assertThat(ending.refusal().errno()).isEqualTo(Errno.EDEADLK);
      assertThat(ending.refusal())
          .hasMessageContaining("packets are only sent to be refused again")
          .hasMessageContaining("RNR_RETRY is 7");
    }
  }

  /** Of 64 packets, each of them an event for a poll to run. */
  @Test
  void aLongTransferIsPolledToItsEnd() {
    pair.b().postRecv(RecvWr.of(1, pair.b().region().sge()));
    pair.a().postSend(SendWr.send(7, pair.a().region().sge()));

    Ending ending = pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty());

    assertThat(ending.refusal()).isNull();
    assertThat(ending.polls()).isGreaterThan(LIMIT);
  }

  /** The other side has all the work to do, and its polls run the network. */
  @Test
  void aQueueMayStayEmptyWhileTheNetworkIsAtWork() {
    for (int i = 0; i < 3 * LIMIT; i++) {
      pair.b().postRecv(RecvWr.of(i));
      pair.a().postSend(SendWr.send(i));
      boolean done = false;
      while (!done) {
        done = !pair.a().sendCq().poll(1).isEmpty();
        assertThat(pair.a().recvCq().poll(1)).isEmpty();
      }
      assertThat(pair.b().recvCq().poll(1)).hasSize(1);
    }
  }

  @Test
  void aPollThatFindsSomethingBeginsANewRow() {
    pair.b().qp().modify(QpAttr.to(QpState.ERR));
    for (int i = 0; i < 2; i++) {
      pair.b().postRecv(RecvWr.of(i));
      assertThatCode(
              () -> {
                for (int poll = 1; poll < LIMIT; poll++) {
                  pair.a().sendCq().poll(1);
                }
              })
          .doesNotThrowAnyException();
      assertThat(pair.b().recvCq().poll(1)).hasSize(1);
    }
  }

  @Test
  void pollsThatDoNotRunTheNetworkAreRefusedWhateverIsLeftToHappen() {
    try (Pair pair = pair(limited().withPollRunsEvents(false)).connect()) {
      pair.b().postRecv(RecvWr.of(1));
      pair.a().postSend(SendWr.send(7));

      Ending ending = pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty());

      assertThat(ending.refusal())
          .hasMessageContaining(
              "the last 50 polls found nothing, and polls do not run the network");
      assertThat(pair.await(pair.a().sendCq()).isSuccess()).isTrue();
    }
  }
}
