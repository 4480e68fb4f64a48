// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Flushing and reset; what each state means for each type is tested with the states. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class QueuePairStateTest {
  @AutoClose private final Pair pair;
  private final MemoryRegion local;
  private final MemoryRegion remote;

  QueuePairStateTest(LinkForm form) {
    pair = Pair.connected(form);
    local = pair.a().region();
    remote = pair.b().region();
  }

  private SendWr write(long wrId) {
    return SendWr.rdmaWrite(wrId, remote.addr(), remote.rkey(), local.sge(0, 8));
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
  void emptiesItsQueuesInReset() {
    pair.a().postRecv(RecvWr.of(10, local.sge()));
    pair.a().qp().postSend(List.of(write(1), write(2)));

    pair.a().qp().modify(QpAttr.to(QpState.RESET));
    pair.drain();

    assertThat(pair.a().sends()).isEmpty();
    assertThat(pair.a().receives()).isEmpty();
    assertThat(pair.a().state()).isEqualTo(QpState.RESET);
  }

  @Test
  void aReadThatCouldNeverStartIsFlushedInError() {
    pair.a().qp().modify(QpAttr.to(QpState.RESET));
    pair.a().toInit();
    pair.a().qp().modify(QpAttr.to(QpState.ERR));

    pair.a().postSend(SendWr.rdmaRead(1, 0, 0, local.sge(0, 8)));

    assertThat(pair.a().sends()).containsExactly("1 WR_FLUSH_ERR");
  }

  @Test
  void connectsAQueuePairToItself() {
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
}
