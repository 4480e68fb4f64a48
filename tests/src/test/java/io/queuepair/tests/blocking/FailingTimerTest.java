// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A verb whose timer cannot be armed fails, and holds no lock afterwards. A flushed request of a
 * queue whose notifications are moderated arms the timer.
 */
final class FailingTimerTest {
  private static final int WR_ID = 7;
  private static final int SECONDS = 10;
  private static final int PERIOD_MICROS = 50;

  /** Closed only if the test succeeds, as closing takes the lock. */
  private final Emulator emulator = Emulator.on(new FailingTimers());

  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final CompletionQueue cq = context.createCq(4, context.createCompChannel());
  private final QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(1)));
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  /** A verb that flushes a request, of a queue pair that is in ERR already, or in INIT. */
  private enum FlushingVerb {
    POST_RECV,
    POST_SEND,
    MODIFY_QP;

    void prepare(QueuePair qp) {
      qp.modify(Attributes.init(QpType.RC));
      if (this == MODIFY_QP) {
        qp.postRecv(RecvWr.of(WR_ID));
      } else {
        qp.modify(QpAttr.to(QpState.ERR));
      }
    }

    void call(QueuePair qp) {
      switch (this) {
        case POST_RECV -> qp.postRecv(RecvWr.of(WR_ID));
        case POST_SEND -> qp.postSend(SendWr.send(WR_ID));
        case MODIFY_QP -> qp.modify(QpAttr.to(QpState.ERR));
      }
    }
  }

  /** A network in real time whose timers cannot be armed. */
  private static final class FailingTimers extends ForwardingFabric {
    private final Scheduler scheduler =
        WatchedScheduler.of(inner().scheduler(), FailingTimers::refuse);

    FailingTimers() {
      super(InMemoryFabric.realTime());
    }

    private static void refuse(String method) {
      if (method.equals("arm")) {
        throw new IllegalStateException("no timer");
      }
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }
  }

  @AfterEach
  void stop() {
    other.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void anotherThreadCanUseTheDeviceAfterwards(FlushingVerb verb) throws Exception {
    verb.prepare(qp);
    cq.modify(0, PERIOD_MICROS);
    cq.reqNotify(false);

    assertThatThrownBy(() -> verb.call(qp))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no timer");

    assertThat(other.submit(() -> cq.poll(2)).get(SECONDS, TimeUnit.SECONDS))
        .extracting(WorkCompletion::wrId, WorkCompletion::status)
        .containsExactly(tuple((long) WR_ID, WcStatus.WR_FLUSH_ERR));
    emulator.close();
  }
}
