// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What each state does with work and with messages; flushing, and reset. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class QueuePairStateTest {
  private static final long RETRIES_EXHAUSTED_NANOS = 4 * (4_096L << 14);

  private final LinkForm form;
  @AutoClose private final Pair pair;
  private final MemoryRegion local;
  private final MemoryRegion remote;

  QueuePairStateTest(LinkForm form) {
    this.form = form;
    pair = Pair.connected(form);
    local = pair.a().region();
    remote = pair.b().region();
  }

  private SendWr write(long wrId) {
    return SendWr.rdmaWrite(wrId, remote.addr(), remote.rkey(), local.sge(0, 8));
  }

  @Test
  void answersInRtr() {
    try (Pair early = Pair.on(form).create()) {
      early.a().toInit();
      early.b().toInit();
      early.a().toReadyToReceive(early.b());
      early.b().toReadyToReceive(early.a());
      early.a().toReadyToSend();
      MemoryRegion target = early.b().region();
      early.b().qp().postRecv(RecvWr.of(2, target.sge()));

      early
          .a()
          .qp()
          .postSend(
              List.of(
                  SendWr.send(1, early.a().region().sge(0, 8)),
                  SendWr.rdmaRead(3, target.addr(), target.rkey(), early.a().region().sge(0, 8))));
      early.drain();

      assertThat(early.a().sends()).containsExactly("1 SEND", "3 RDMA_READ 8");
      assertThat(early.b().receives()).containsExactly("2 RECV 8");
      assertThat(early.b().events()).containsExactly(EventType.COMM_EST);
      assertThat(early.b().state()).isEqualTo(QpState.RTR);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RESET", "ERR"})
  void neverAnswers(QpState state) {
    pair.b().qp().modify(QpAttr.to(state));
    pair.b().receives();

    pair.a().qp().postSend(write(1));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 RETRY_EXC_ERR");
    assertThat(pair.nowNanos()).isEqualTo(RETRIES_EXHAUSTED_NANOS);
    assertThat(pair.b().receives()).isEmpty();
    assertThat(pair.b().state()).isEqualTo(state);
  }

  @Test
  void neverAnswersInInit() {
    pair.b().qp().modify(QpAttr.to(QpState.RESET));
    pair.b().toInit();
    pair.b().qp().postRecv(RecvWr.of(9, remote.sge()));

    pair.a().qp().postSend(SendWr.send(1));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 RETRY_EXC_ERR");
    assertThat(pair.b().receives()).isEmpty();
  }

  @Test
  void neverAnswersWhenDestroyed() {
    pair.b().qp().close();

    pair.a().qp().postSend(List.of(write(1), write(2)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.a().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void usesInRtrWhatWasPostedInInit() {
    try (Pair early = Pair.on(form).create()) {
      early.b().toInit();
      early.b().qp().postRecv(RecvWr.of(2, early.b().region().sge()));
      early.a().toInit();
      early.a().toReadyToReceive(early.b());
      early.b().toReadyToReceive(early.a());
      early.a().toReadyToSend();

      early.a().qp().postSend(SendWr.send(1));
      early.drain();

      assertThat(early.b().receives()).containsExactly("2 RECV 0");
    }
  }

  @Test
  void flushesEverythingInErr() {
    pair.a().qp().postRecv(List.of(RecvWr.of(10, local.sge()), RecvWr.of(11)));
    pair.a().qp().postSend(List.of(write(1), write(2).withFlags(), write(3)));

    pair.a().qp().modify(QpAttr.to(QpState.ERR));

    assertThat(pair.a().sends())
        .containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
    assertThat(pair.a().receives()).containsExactly("10 WR_FLUSH_ERR", "11 WR_FLUSH_ERR");
  }

  @Test
  void flushesWhatIsPostedInErr() {
    pair.a().qp().modify(QpAttr.to(QpState.ERR));

    pair.a().qp().postSend(List.of(write(1), write(2).withFlags()));
    pair.a().qp().postRecv(List.of(RecvWr.of(10), RecvWr.of(11)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.a().receives()).containsExactly("10 WR_FLUSH_ERR", "11 WR_FLUSH_ERR");
    assertThat(Bytes.in(remote, 0, 8)).containsOnly(TestEndpoint.FILL);
  }

  @Test
  void keepsTheCompletionsFromBeforeTheFlush() {
    pair.a().qp().postSend(write(1));
    pair.drain();
    pair.a().qp().postSend(write(2));

    pair.a().qp().modify(QpAttr.to(QpState.ERR));

    assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE", "2 WR_FLUSH_ERR");
  }

  @Test
  void flushesNothingTwice() {
    pair.a().qp().postSend(write(1));
    pair.a().qp().modify(QpAttr.to(QpState.ERR));

    pair.a().qp().modify(QpAttr.to(QpState.ERR));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 WR_FLUSH_ERR");
  }

  @Test
  void goesFromResetToErr() {
    try (Pair fresh = Pair.on(form).create()) {
      fresh.a().qp().modify(QpAttr.to(QpState.ERR));
      fresh.a().qp().postRecv(RecvWr.of(1));

      assertThat(fresh.a().state()).isEqualTo(QpState.ERR);
      assertThat(fresh.a().receives()).containsExactly("1 WR_FLUSH_ERR");
    }
  }

  @Test
  void emptiesItsQueuesInReset() {
    pair.a().qp().postRecv(RecvWr.of(10, local.sge()));
    pair.a().qp().postSend(List.of(write(1), write(2)));

    pair.a().qp().modify(QpAttr.to(QpState.RESET));
    pair.drain();

    assertThat(pair.a().sends()).isEmpty();
    assertThat(pair.a().receives()).isEmpty();
    assertThat(pair.a().state()).isEqualTo(QpState.RESET);
  }

  @Test
  void removesOnlyItsOwnCompletionsInReset() {
    QueuePair other = pair.a().createQp(QpCap.of(4));
    other.modify(QpAttr.to(QpState.ERR));
    pair.a().qp().postSend(write(1));
    pair.drain();
    other.postSend(SendWr.send(2));
    pair.a().qp().postSend(write(3));
    pair.drain();
    other.postSend(SendWr.send(4));

    pair.a().qp().modify(QpAttr.to(QpState.RESET));

    List<WorkCompletion> left = pair.a().sendCompletions();
    assertThat(left).extracting(WorkCompletion::wrId).containsExactly(2L, 4L);
    assertThat(left).extracting(WorkCompletion::qpNum).containsOnly(other.qpNum());
  }

  private void assertWorks() {
    pair.b().qp().postRecv(RecvWr.of(20, remote.sge()));
    pair.a()
        .qp()
        .postSend(
            List.of(
                SendWr.send(21, local.sge(0, 3000)),
                SendWr.rdmaRead(22, remote.addr(), remote.rkey(), local.sge(0, 3000))));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("21 SEND", "22 RDMA_READ 3000");
    assertThat(pair.b().receives()).containsExactly("20 RECV 3000");
  }

  private void reconnect() {
    pair.a().qp().modify(QpAttr.to(QpState.RESET));
    pair.b().qp().modify(QpAttr.to(QpState.RESET));
    assertThat(pair.a().state()).isEqualTo(QpState.RESET);
    assertThat(pair.b().state()).isEqualTo(QpState.RESET);
    pair.connect();
  }

  @Test
  void worksAgainAfterErrAndReset() {
    assertWorks();
    pair.a().qp().modify(QpAttr.to(QpState.ERR));
    pair.b().qp().modify(QpAttr.to(QpState.ERR));

    reconnect();

    assertWorks();
  }

  @Test
  void worksAgainAfterARefusedAccess() {
    pair.a().qp().postSend(SendWr.rdmaWrite(1, remote.addr(), 0xbad, local.sge(0, 8)));
    pair.drain();

    reconnect();

    assertWorks();
  }

  @Test
  void worksAgainAfterALocalError() {
    pair.a().qp().postSend(SendWr.send(1, new Sge(0, 8, 0xbad)));
    pair.drain();

    reconnect();

    assertWorks();
  }

  @Test
  void worksAgainAfterResetWithTrafficUnderWay() {
    pair.b().qp().postRecv(RecvWr.of(9, remote.sge()));
    pair.a().qp().postSend(List.of(SendWr.send(1, local.sge()), write(2)));
    pair.a().qp().modify(QpAttr.to(QpState.RESET));
    pair.drain();

    reconnect();

    assertWorks();
  }

  @Test
  void completesNothingOfADestroyedQueuePair() {
    pair.a().qp().postSend(write(1));
    pair.a().qp().postRecv(RecvWr.of(2));

    pair.a().qp().close();
    pair.drain();

    assertThat(pair.a().sends()).isEmpty();
    assertThat(pair.a().receives()).isEmpty();
  }

  @Test
  void connectsAQueuePairToItself() {
    try (Pair single = Pair.on(form).create()) {
      TestEndpoint self = single.a();
      self.toInit();
      self.toReadyToReceive(self);
      self.toReadyToSend();
      self.qp().postRecv(RecvWr.of(2, self.region().sge(1000, 100)));
      Bytes.into(self.region(), 0, Bytes.pattern(100, 1));

      self.qp().postSend(SendWr.send(1, self.region().sge(0, 100)));
      single.drain();

      assertThat(self.sends()).containsExactly("1 SEND");
      assertThat(self.receives()).containsExactly("2 RECV 100");
      assertThat(Bytes.in(self.region(), 1000, 100)).isEqualTo(Bytes.pattern(100, 1));
    }
  }

  @Test
  void aReadThatCouldNeverStartIsFlushedInError() {
    try (Pair fresh = Pair.on(form).create()) {
      fresh.a().toInit();
      fresh.a().qp().modify(QpAttr.to(QpState.ERR));

      fresh.a().qp().postSend(SendWr.rdmaRead(1, 0, 0, fresh.a().region().sge(0, 8)));

      assertThat(fresh.a().sends()).containsExactly("1 WR_FLUSH_ERR");
    }
  }
}
