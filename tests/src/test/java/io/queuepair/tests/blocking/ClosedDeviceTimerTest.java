// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The timer of a device that is closed does not fire any more, whatever it was armed for. */
final class ClosedDeviceTimerTest {
  private final WatchedTimers fabric = new WatchedTimers();
  private final Emulator emulator = Emulator.on(fabric);
  private final ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
  private final CompletionQueue cq = pd.context().createCq(4);
  private final QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
  private final QueuePair peer = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));

  /** A network in virtual time that remembers how its timers were set. */
  private static final class WatchedTimers extends ForwardingFabric {
    private final List<String> calls = new ArrayList<>();
    private final Scheduler scheduler = WatchedScheduler.of(inner().scheduler(), this::note);

    WatchedTimers() {
      super(InMemoryFabric.virtualTime());
    }

    private void note(String method) {
      if (method.equals("arm") || method.equals("disarm")) {
        calls.add(method);
      }
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }
  }

  @Test
  void aRequestThatIsOutstandingIsNotTriedAgain() {
    Emulator.connect(qp, peer);
    peer.modify(QpAttr.to(QpState.RESET));
    qp.postSend(SendWr.send(1));
    assertThat(fabric.calls).containsExactly("arm");

    emulator.close();

    assertThat(fabric.calls).containsExactly("arm", "disarm");
  }
}
