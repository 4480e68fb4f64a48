// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In real time the destruction of a completion queue waits for its notifications. */
final class DestructionWaitTest {
  private static final Set<Thread.State> ASLEEP =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  @AutoClose
  private final Emulator emulator = Emulator.on(InMemoryFabric.create(InMemoryOptions.realTime()));

  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final CompletionChannel channel = context.createCompChannel();
  private final CompletionQueue cq = context.createCq(4, channel);
  private final QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(2)));

  private void takeNotification() {
    qp.modify(QpAttr.to(QpState.ERR));
    cq.reqNotify(false);
    qp.postSend(SendWr.send(1));
    assertThat(channel.getCqEvent()).isSameAs(cq);
  }

  @Test
  void endsWithTheLastAcknowledgement() throws InterruptedException {
    takeNotification();
    qp.close();
    Thread destroyer = new Thread(cq::close);

    destroyer.start();
    while (destroyer.isAlive() && !ASLEEP.contains(destroyer.getState())) {
      Thread.onSpinWait();
    }
    boolean waited = destroyer.isAlive();
    cq.ackEvents(1);
    destroyer.join();

    assertThat(waited).isTrue();
    assertRefused(Errno.EINVAL, "was destroyed", () -> cq.poll(1));
  }

  @Test
  void isRefusedAtOnceWhileAQueuePairUsesTheQueue() {
    takeNotification();

    assertRefused(Errno.EBUSY, "is used by 2 other object(s)", cq::close);
  }

  @Test
  @Timeout(5)
  void isRefusedAtOnceToTheThreadThatTookTheNotification() {
    takeNotification();
    qp.close();

    assertRefused(
        Errno.EBUSY,
        "ibv_destroy_cq: EBUSY: 1 notification(s) of it are not acknowledged:"
            + " this thread took them",
        cq::close);
  }

  @Test
  @Timeout(5)
  void isRefusedAtOnceToTheThreadThatTookAnEvent() {
    SharedReceiveQueue srq = qp.pd().createSrq(SrqAttr.of(1, 1));
    QueuePair last = qp.pd().createQp(QpInitAttr.rc(cq, QpCap.of(2)).withSrq(srq));
    last.modify(QpAttr.to(QpState.ERR));
    assertThat(context.getAsyncEvent())
        .isEqualTo(AsyncEvent.of(EventType.QP_LAST_WQE_REACHED, last));

    assertRefused(Errno.EBUSY, ": this thread took them", last::close);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2, 100})
  void asManyAreAcknowledgedAsWereTaken(int events) {
    takeNotification();

    assertRefused(
        Errno.EINVAL,
        "ibv_ack_cq_events: EINVAL: " + events + " notifications, but 1 are not acknowledged",
        () -> cq.ackEvents(events));
    cq.ackEvents(0);
    cq.ackEvents(1);
  }
}
