// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A device reads the clock once for each step: all that happens in a step has one time. */
final class ClockReadingTest {
  private final CountingFabric fabric = new CountingFabric();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final Context sender = emulator.addDevice("10.0.0.1").open();
  private final Context receiver = emulator.addDevice("10.0.0.2").open();
  private final CompletionQueue cq = sender.createCq(4);
  private final QueuePair qp = sender.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(4)));
  private final QueuePair peer =
      receiver.allocPd().createQp(QpInitAttr.rc(receiver.createCq(4), QpCap.of(4)));

  /** A network in virtual time whose devices are watched when they look at the clock. */
  private static final class CountingFabric extends ForwardingFabric {
    private final Scheduler scheduler = WatchedScheduler.of(inner().scheduler(), this::count);
    private int readings;

    CountingFabric() {
      super(InMemoryFabric.virtualTime());
    }

    private void count(String method) {
      if (method.equals("nowNanos")) {
        readings++;
      }
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    /** How often devices look at the clock meanwhile. */
    int readingsDuring(Runnable step) {
      int before = readings;
      step.run();
      return readings - before;
    }

    /** The next arrival or timer, which is one step of one device. */
    void runNext() {
      assertThat(inner().scheduler().runNext()).isTrue();
    }
  }

  @Test
  void onceForAVerbThatSends() {
    Emulator.connect(qp, peer);

    assertThat(fabric.readingsDuring(() -> qp.postSend(SendWr.send(1)))).isOne();
  }

  @Test
  void onceForAVerbThatSendsNothing() {
    Emulator.connect(qp, peer);

    assertThat(fabric.readingsDuring(() -> qp.postRecv(RecvWr.of(1)))).isOne();
    assertThat(fabric.readingsDuring(() -> qp.modify(QpAttr.to(QpState.SQD)))).isOne();
  }

  @Test
  void onceForAnArrivalThatIsAnswered() {
    Emulator.connect(qp, peer);
    peer.postRecv(RecvWr.of(2));
    qp.postSend(SendWr.send(1));

    assertThat(fabric.readingsDuring(fabric::runNext)).as("the message").isOne();
    assertThat(fabric.readingsDuring(fabric::runNext)).as("its acknowledgement").isOne();
    assertThat(cq.poll(1)).hasSize(1);
  }

  @Test
  void onceForATimerThatSendsAgain() {
    Emulator.connect(qp, peer);
    peer.modify(QpAttr.to(QpState.RESET));
    qp.postSend(SendWr.send(1));
    fabric.runNext();

    assertThat(fabric.readingsDuring(fabric::runNext)).as("the ACK timer").isOne();
    assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
  }
}
