// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A completion queue that takes more completions than it has room for. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class OverrunTest {
  private static final int CAPACITY = 4;

  @AutoClose private final Pair pair;
  private final MemoryRegion remote;

  OverrunTest(LinkForm form) {
    pair = Pair.on(form).cqe(CAPACITY).connect();
    remote = pair.b().region();
  }

  private void write(int count) {
    int room = pair.a().sendCq().cqe();
    assertThat(room).isGreaterThanOrEqualTo(CAPACITY);
    for (int wrId = 0; wrId < count; wrId++) {
      pair.a().qp().postSend(SendWr.rdmaWrite(wrId, remote.addr(), remote.rkey()));
    }
    pair.drain();
  }

  private int capacity() {
    return pair.a().sendCq().cqe();
  }

  @Test
  void neverHappensUpToTheCapacity() {
    write(capacity());

    assertThat(pair.a().sends()).hasSize(capacity());
    assertThat(pair.a().events()).isEmpty();
    assertThat(pair.a().state()).isEqualTo(QpState.RTS);
  }

  @Test
  void neverHappensWhileCompletionsAreTaken() {
    for (int round = 0; round < 10; round++) {
      write(capacity());
      assertThat(pair.a().sends()).hasSize(capacity());
    }

    assertThat(pair.a().events()).isEmpty();
  }

  @Test
  void isReportedOnceAndFailsTheQueuePair() {
    write(capacity() + 3);

    assertThat(pair.a().events()).containsExactlyInAnyOrder(EventType.CQ_ERR, EventType.QP_FATAL);
    assertThat(pair.a().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void keepsWhatTheQueueHeld() {
    write(capacity() + 3);

    assertThat(pair.a().sends()).hasSize(capacity());
  }

  @Test
  void endsTheUseOfTheQueue() {
    write(capacity() + 3);
    pair.a().sends();

    pair.a().qp().postSend(SendWr.send(99));

    assertThat(pair.a().sends()).isEmpty();
    assertThat(pair.a().events()).hasSize(2);
  }

  @Test
  void failsEveryQueuePairOnTheQueue() {
    QueuePair control = pair.a().createQp(QpCap.of(2));

    write(capacity() + 1);

    assertThat(control.query().qpState()).isEqualTo(QpState.ERR);
    assertThat(pair.a().events())
        .containsExactlyInAnyOrder(EventType.CQ_ERR, EventType.QP_FATAL, EventType.QP_FATAL);
  }

  @Test
  void failsTheReceivingSideToo() {
    for (int wrId = 0; wrId <= capacity(); wrId++) {
      pair.b().qp().postRecv(RecvWr.of(wrId));
    }
    for (int wrId = 0; wrId <= capacity(); wrId++) {
      pair.a().qp().postSend(SendWr.send(wrId).withFlags());
    }
    pair.drain();

    assertThat(pair.b().receives()).hasSize(capacity());
    assertThat(pair.b().state()).isEqualTo(QpState.ERR);
    assertThat(pair.b().events())
        .contains(EventType.CQ_ERR, EventType.QP_FATAL)
        .doesNotHaveDuplicates();
  }
}
