// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Contents of completions, when there is one, and in which order. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class CompletionTest {
  private final LinkForm form;
  @AutoClose private final Pair pair;
  private final MemoryRegion local;
  private final MemoryRegion remote;

  CompletionTest(LinkForm form) {
    this.form = form;
    // Nothing is lost. Repeated for being late, a READ would find what was written after it.
    pair = Pair.on(form).rts(attr -> attr.timeout(0)).connect();
    local = pair.a().region();
    remote = pair.b().region();
  }

  private SendWr write(long wrId) {
    return SendWr.rdmaWrite(wrId, remote.addr(), remote.rkey(), local.sge(0, 8));
  }

  private SendWr read(long wrId) {
    return SendWr.rdmaRead(wrId, remote.addr(), remote.rkey(), local.sge(0, 8));
  }

  private void postReceives(int count) {
    for (int wrId = 1; wrId <= count; wrId++) {
      pair.b().qp().postRecv(RecvWr.of(wrId, remote.sge()));
    }
  }

  @Test
  void comeInTheOrderOfPosting() {
    postReceives(2);

    pair.send(SendWr.send(5), read(3), write(9), SendWr.send(1), read(2), write(7));

    assertThat(pair.a().sends())
        .containsExactly(
            "5 SEND", "3 RDMA_READ 8", "9 RDMA_WRITE", "1 SEND", "2 RDMA_READ 8", "7 RDMA_WRITE");
    assertThat(pair.b().receives()).containsExactly("1 RECV 0", "2 RECV 0");
  }

  @Test
  void keepAllBitsOfTheRequestIdentifierAndNameTheLocalQueuePair() {
    postReceives(1);

    pair.send(SendWr.send(0xfedc_ba98_7654_3210L));

    WorkCompletion sent = pair.a().sendCompletions().get(0);
    WorkCompletion received = pair.b().receiveCompletions().get(0);
    assertThat(sent.wrId()).isEqualTo(0xfedc_ba98_7654_3210L);
    assertThat(sent.qpNum()).isEqualTo(pair.a().qp().qpNum());
    assertThat(received.qpNum()).isEqualTo(pair.b().qp().qpNum());
    assertThat(received.wcFlags()).doesNotContain(WcFlag.WITH_IMM, WcFlag.GRH);
  }

  @Test
  void comeForEverySendIfTheQueuePairSaysSo() {
    try (Pair all = Pair.on(form).sqSigAll().connect()) {
      MemoryRegion target = all.b().region();

      all.send(
          SendWr.rdmaWrite(1, target.addr(), target.rkey()).withFlags(),
          SendWr.rdmaWrite(2, target.addr(), target.rkey()));

      assertThat(all.a().sends()).containsExactly("1 RDMA_WRITE", "2 RDMA_WRITE");
    }
  }

  @Test
  void comeToAQueuePairThatIsConnectedToItself() {
    TestEndpoint self = pair.a();
    self.qp().modify(QpAttr.to(QpState.RESET));
    self.toInit();
    self.toReadyToReceive(self);
    self.toReadyToSend();
    self.postRecv(RecvWr.of(2, local.sge(1000, 100)));
    Bytes.into(local, 0, Bytes.pattern(100, 1));

    self.postSend(SendWr.send(1, local.sge(0, 100)));
    pair.drain();

    assertThat(self.sends()).containsExactly("1 SEND");
    assertThat(self.receives()).containsExactly("2 RECV 100");
    assertThat(Bytes.in(local, 1000, 100)).isEqualTo(Bytes.pattern(100, 1));
  }

  @Test
  void comeFlushedForWhatIsPostedInErr() {
    pair.a().qp().modify(QpAttr.to(QpState.ERR));

    pair.a().qp().postSend(List.of(write(1), write(2).withFlags()));
    pair.a().qp().postRecv(List.of(RecvWr.of(10), RecvWr.of(11)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
    assertThat(pair.a().receives()).containsExactly("10 WR_FLUSH_ERR", "11 WR_FLUSH_ERR");
  }

  @Test
  void areForgottenInReset() {
    pair.a().qp().postSend(List.of(write(1), write(2)));
    pair.a().qp().modify(QpAttr.to(QpState.RESET));
    pair.drain();

    assertThat(pair.a().sends()).isEmpty();
  }

  @Test
  void stayAwayWithoutLimitWhileTheReceiverIsNotReady() {
    try (Pair patient = Pair.on(form).rts(attr -> attr.rnrRetry(7)).connect()) {
      patient.a().postSend(SendWr.send(1));
      patient.run(Duration.ofSeconds(5));
      assertThat(patient.a().sends()).isEmpty();

      patient.b().postRecv(RecvWr.of(2));
      patient.drain();

      assertThat(patient.a().sends()).containsExactly("1 SEND");
      assertThat(patient.b().receives()).containsExactly("2 RECV 0");
    }
  }
}
