// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that poll in a loop work in virtual time: each empty poll lets it go on. */
@Timeout(60)
final class SpinningTest {
  /** Timer code 12 of an RNR NAK. */
  private static final long RNR_NANOS = 640_000;

  private final InMemoryFabric network = InMemoryFabric.virtualTime();

  private static WorkCompletion spin(CompletionQueue cq) {
    List<WorkCompletion> found = cq.poll(1);
    while (found.isEmpty()) {
      found = cq.poll(1);
    }
    return found.get(0);
  }

  @Test
  void aLoopAroundPollFindsTheCompletion() {
    try (Pair pair = Pair.on(network).connect()) {
      pair.b().qp().postRecv(RecvWr.of(2));
      pair.a().qp().postSend(SendWr.send(1));

      assertThat(spin(pair.b().recvCq()).wrId()).isEqualTo(2);
      assertThat(spin(pair.a().sendCq()).wrId()).isEqualTo(1);
      assertThat(network.scheduler().nowNanos()).isPositive();
    }
  }

  @Test
  void timersExpireWhileSomebodySpins() {
    try (Pair pair = Pair.on(network).rts(attr -> attr.rnrRetry(2)).connect()) {
      pair.a().qp().postSend(SendWr.send(1));

      assertThat(spin(pair.a().sendCq()).status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
      assertThat(network.scheduler().nowNanos()).isGreaterThanOrEqualTo(2 * RNR_NANOS);
    }
  }

  /** A ping-pong in one thread, as a test of an application may be written. */
  @Test
  void twoEndsSpinInTurn() {
    try (Pair pair = Pair.on(network).connect()) {
      for (int i = 0; i < 100; i++) {
        pair.b().qp().postRecv(RecvWr.of(i));
        pair.a().qp().postSend(SendWr.send(i));
        assertThat(spin(pair.b().recvCq()).wrId()).isEqualTo(i);
        pair.a().qp().postRecv(RecvWr.of(i));
        pair.b().qp().postSend(SendWr.send(i));
        assertThat(spin(pair.a().recvCq()).wrId()).isEqualTo(i);
        assertThat(spin(pair.a().sendCq()).wrId()).isEqualTo(i);
        assertThat(spin(pair.b().sendCq()).wrId()).isEqualTo(i);
      }
    }
  }

  @Test
  void aBatchOfPollsLetsTimeGoOnToo() {
    try (Emulator emulator = Emulator.on(network)) {
      ExtendedCompletionQueue cq =
          emulator.addDevice("10.0.0.1").open().createCqEx(CqInitAttrEx.of(8));
      CompletionQueue other = emulator.addDevice("10.0.0.2").open().createCq(8);
      QueuePair a = cq.context().allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      QueuePair b = other.context().allocPd().createQp(QpInitAttr.rc(other, QpCap.of(8)));
      Emulator.connect(a, b);
      b.postRecv(RecvWr.of(2));
      a.postSend(SendWr.send(1));

      PollBatch batch = cq.startPoll();
      while (!batch.nextPoll()) {
        Thread.onSpinWait();
        batch = cq.startPoll();
      }
      assertThat(batch.wrId()).isEqualTo(1);
      batch.close();
    }
  }

  /** The state of a queue pair changes while another queue is polled. */
  @Test
  void pollingAnyQueueMovesTheWholeNetwork() {
    try (Pair pair = Pair.on(network).rts(attr -> attr.retryCnt(1)).connect()) {
      EmulatedDevice.of(pair.b().context().device()).setPortUp(1, false);
      pair.a().qp().postSend(SendWr.send(1));

      while (pair.a().state() != QpState.ERR) {
        assertThat(pair.b().recvCq().poll(1)).isEmpty();
      }
      assertThat(spin(pair.a().sendCq()).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }
  }
}
