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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * What devices ask of a scheduler: the clock once for each step, as all that happens in a step has
 * one time.
 */
final class SchedulerUseTest {
  private final WatchedFabric fabric = new WatchedFabric();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final Context sender = emulator.addDevice("10.0.0.1").open();
  private final Context receiver = emulator.addDevice("10.0.0.2").open();
  private final CompletionQueue cq = sender.createCq(4);
  private final QueuePair qp = sender.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(4)));
  private final QueuePair peer =
      receiver.allocPd().createQp(QpInitAttr.rc(receiver.createCq(4), QpCap.of(4)));

  /**
   * A network in virtual time that remembers what its devices ask of the scheduler and its timers.
   */
  private static final class WatchedFabric extends ForwardingFabric {
    private final List<String> calls = new ArrayList<>();
    private final Scheduler scheduler = WatchedScheduler.of(inner().scheduler(), calls::add);

    WatchedFabric() {
      super(InMemoryFabric.virtualTime());
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    /** How often devices look at the clock meanwhile. */
    int readingsDuring(Runnable step) {
      calls.clear();
      step.run();
      return Collections.frequency(calls, "nowNanos");
    }

    /** The next arrival or timer, which is one step of one device. */
    void runNext() {
      assertThat(inner().scheduler().runNext()).isTrue();
    }
  }

  @Test
  void onceForAVerb() {
    Emulator.connect(qp, peer);

    assertThat(fabric.readingsDuring(() -> qp.postSend(SendWr.send(1)))).isOne();
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

  /** The timer of a device that is closed does not fire any more, whatever it was armed for. */
  @Test
  void aClosedDeviceTriesNothingAgain() {
    Emulator.connect(qp, peer);
    peer.modify(QpAttr.to(QpState.RESET));
    fabric.calls.clear();
    qp.postSend(SendWr.send(1));
    assertThat(fabric.calls).filteredOn(call -> call.endsWith("arm")).containsExactly("arm");

    emulator.close();

    assertThat(fabric.calls)
        .filteredOn(call -> call.endsWith("arm"))
        .containsExactly("arm", "disarm", "disarm"); // By both devices.
  }
}
