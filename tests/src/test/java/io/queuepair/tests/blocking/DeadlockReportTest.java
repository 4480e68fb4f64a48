// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In virtual time a wait that can never end says so, and what everybody is waiting for. */
@Timeout(60)
final class DeadlockReportTest {
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
      pair.a().qp().postSend(SendWr.send(7));

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
          .contains("dropped 1 time: WRONG_QP_STATE");
    }
  }

  @Test
  void aSuspendedSendQueueSendsNothing() {
    try (Pair pair = connected(14)) {
      pair.a().qp().modify(QpAttr.to(QpState.SQD));
      pair.a().qp().postSend(SendWr.send(7));

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
          .qp()
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

  /** RNR_RETRY 7: the requester asks again and again, so the network is never idle. */
  @Test
  void aReceiverThatIsNeverReadyIsAskedForEver() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).rts(attr -> attr.rnrRetry(7)).connect()) {
      pair.a().qp().postSend(SendWr.send(7));

      assertThat(messageOf(() -> pair.await(pair.a().sendCq())))
          .contains("packets are only sent to be refused again")
          .containsPattern("was answered with [0-9]{4,} RNR NAKs, as no receive is posted")
          .contains("RNR_RETRY is 7");
    }
  }

  @Test
  void aReceiveWaitsForAPeerThatSendsNothing() {
    try (Pair pair = connected(14)) {
      pair.b().qp().postRecv(RecvWr.of(1));
      pair.b().qp().postRecv(RecvWr.of(2));

      assertThat(messageOf(() -> pair.await(pair.b().recvCq())))
          .contains("the wait for a completion of " + qp(pair.b().qp()) + " (receives)")
          .contains("2 receives posted; nothing comes from " + qp(pair.a().qp()) + " of 10.0.0.1");
    }
  }

  @Test
  void inInitNothingIsTaken() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).create()) {
      pair.b().toInit();
      pair.b().qp().postRecv(RecvWr.of(1));

      assertThat(messageOf(() -> pair.await(pair.b().recvCq())))
          .contains("(RC, INIT): 1 receive posted; nothing is taken before RTR");
    }
  }

  @Test
  void aPortThatIsDownSwallowsWhatIsNotSentAgain() {
    try (Pair pair = connected(0)) {
      EmulatedDevice.of(pair.b().context().device()).setPortUp(1, false);
      pair.a().qp().postSend(SendWr.send(7));

      assertThat(messageOf(() -> pair.await(pair.a().sendCq())))
          .contains("qp1: port 1 is down")
          .contains("qp1: dropped 1 time: PORT_DOWN");
    }
  }

  @Test
  void whatTheFaultPlanDidIsSaid() {
    try (Emulator emulator = Emulator.inMemory()) {
      emulator.injectFaults(FaultPlan.parse("partition 10.0.0.1 from 10.0.0.2"));
      CompletionQueue cq = emulator.addDevice("10.0.0.1").open().createCq(8);
      CompletionQueue other = emulator.addDevice("10.0.0.2").open().createCq(8);
      QueuePair a = cq.context().allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      QueuePair b = other.context().allocPd().createQp(QpInitAttr.rc(other, QpCap.of(8)));
      Emulator.connect(a, b);
      a.modify(QpAttr.to(QpState.SQD));
      a.modify(new QpAttr().timeout(0));
      a.modify(QpAttr.to(QpState.RTS));
      a.postSend(SendWr.send(1));

      assertThat(messageOf(() -> emulator.await(cq)))
          .contains("faults: 1 time partition 10.0.0.1 from 10.0.0.2");
    }
  }

  @Test
  void nobodyUsesTheQueue() {
    try (Pair pair = connected(14)) {
      CompletionQueue unused = pair.a().context().createCq(4);

      assertThat(messageOf(() -> pair.await(unused)))
          .contains("the wait for a completion in a queue that no queue pair uses");
    }
  }

  @Test
  void aQueueThatHasOverrunTakesNoMore() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).cqe(1).sqSigAll().connect()) {
      pair.a().qp().modify(QpAttr.to(QpState.ERR));
      pair.a().qp().postSend(SendWr.send(1));
      pair.a().qp().postSend(SendWr.send(2));
      pair.await(pair.a().sendCq());

      assertThat(messageOf(() -> pair.await(pair.a().sendCq())))
          .contains("in a queue that has overrun and takes no more");
    }
  }

  @Test
  void aChannelAnnouncesNothingUnlessAsked() {
    try (Pair pair = connected(14)) {
      assertThat(messageOf(() -> pair.a().channel().getCqEvent()))
          .startsWith("ibv_get_cq_event: EDEADLK")
          .contains("of which 0 have asked for one (ibv_req_notify_cq)");
    }
  }

  @Test
  void anEventThatNothingLeadsTo() {
    try (Pair pair = connected(14)) {
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
      asking.a().qp().postSend(SendWr.send(1));
      dead.b().qp().modify(QpAttr.to(QpState.RESET));
      dead.a().qp().postSend(SendWr.send(2));

      assertThat(dead.await(dead.a().sendCq()).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(network.scheduler().nowNanos()).isGreaterThan(30_000_000_000L);
    }
  }

  @Test
  void aWaitWithATimeoutJustEnds() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).rts(attr -> attr.rnrRetry(7)).connect()) {
      pair.b().qp().modify(new QpAttr().minRnrTimer(31));
      pair.a().sendCq().reqNotify(false);
      pair.a().qp().postSend(SendWr.send(7));

      assertThat(pair.a().channel().getCqEvent(Duration.ofSeconds(60))).isEmpty();
      assertThat(pair.nowNanos()).isEqualTo(60_000_000_000L);
    }
  }
}
