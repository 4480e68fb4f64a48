// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two sides that are not set up for each other, or of which only one continues. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class MismatchedPeersTest {
  private static final Duration TIMEOUT = Duration.ofNanos(4_096L << 14);

  @Parameter private LinkForm form;

  private Pair unequal(Mtu mtuOfA, Mtu mtuOfB) {
    return Pair.on(form)
        .rtr(attr -> attr.pathMtu(attr.rqPsn() == Pair.PSN_B ? mtuOfA : mtuOfB))
        .connect();
  }

  @ParameterizedTest
  @CsvSource({"MTU_1024, MTU_512", "MTU_512, MTU_1024"})
  void aWriteInOtherPacketsThanThePathMtuIsRefused(Mtu mtuOfA, Mtu mtuOfB) {
    try (Pair pair = unequal(mtuOfA, mtuOfB)) {
      MemoryRegion target = pair.b().region();
      pair.b().qp().postRecv(RecvWr.of(9));

      pair.send(SendWr.rdmaWrite(1, target.addr(), target.rkey(), pair.a().region().sge(0, 2000)));

      assertThat(pair.a().sends()).containsExactly("1 REM_INV_REQ_ERR");
      assertThat(pair.b().receives()).containsExactly("9 WR_FLUSH_ERR");
      assertThat(pair.b().state()).isEqualTo(QpState.ERR);
    }
  }

  @Test
  void aReadAnsweredInOtherPacketsThanThePathMtuFails() {
    try (Pair pair = unequal(Mtu.MTU_1024, Mtu.MTU_512)) {
      MemoryRegion source = pair.b().region();

      pair.send(SendWr.rdmaRead(1, source.addr(), source.rkey(), pair.a().region().sge(0, 2000)));

      assertThat(pair.a().sends()).containsExactly("1 BAD_RESP_ERR");
      assertThat(pair.a().state()).isEqualTo(QpState.ERR);
    }
  }

  /** A pair whose a is in RTS and whose b is in INIT. */
  private Pair halfReady() {
    Pair pair = Pair.on(form).create();
    pair.b().toInit();
    pair.a().toInit();
    pair.a().toReadyToReceive(pair.b());
    pair.a().toReadyToSend();
    return pair;
  }

  @Test
  void aSendArrivesWhenThePeerBecomesReadyInTime() {
    try (Pair pair = halfReady()) {
      pair.b().qp().postRecv(RecvWr.of(9));
      pair.a().qp().postSend(SendWr.send(1));
      pair.run(TIMEOUT.multipliedBy(3));

      pair.b().toReadyToReceive(pair.a());
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).containsExactly("9 RECV 0");
      assertThat(pair.b().state()).isEqualTo(QpState.RTR);
    }
  }

  @Test
  void readsGoOnWhileThePeerEntersRts() {
    try (Pair pair = halfReady()) {
      pair.b().toReadyToReceive(pair.a());
      MemoryRegion source = pair.b().region();
      SendWr read =
          SendWr.rdmaRead(1, source.addr(), source.rkey(), pair.a().region().sge(0, 4096));
      for (int i = 0; i < 20; i++) {
        pair.a().qp().postSend(read);
      }
      pair.run(Duration.ofNanos(5_000));

      pair.b().toReadyToSend();
      for (int i = 0; i < 20; i++) {
        pair.a().qp().postSend(read);
      }
      pair.drain();

      assertThat(pair.a().sends()).hasSize(40).containsOnly("1 RDMA_READ 4096");
    }
  }

  @Test
  void aFencedSendBehindAReadThatIsNeverAnsweredIsFlushed() {
    try (Pair pair = halfReady()) {
      MemoryRegion source = pair.b().region();

      pair.send(
          SendWr.rdmaRead(1, source.addr(), source.rkey()),
          SendWr.send(2).withFlags(SendFlag.FENCE));

      assertThat(pair.a().sends()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSideThatFailsWhileASendWaitsForTheReceiver(boolean isSender) {
    try (Pair pair = Pair.connected(form)) {
      pair.a().qp().postSend(List.of(SendWr.send(1), SendWr.send(2)));
      pair.run(Duration.ofNanos(100_000));

      (isSender ? pair.a() : pair.b()).qp().modify(QpAttr.to(QpState.ERR));
      pair.drain();

      String first = isSender ? "1 WR_FLUSH_ERR" : "1 RETRY_EXC_ERR";
      assertThat(pair.a().sends()).containsExactly(first, "2 WR_FLUSH_ERR");
      assertThat(pair.b().state()).isEqualTo(isSender ? QpState.RTS : QpState.ERR);
    }
  }

  @Test
  void memoryThatGoesBeforeARetryFailsTheSend() {
    try (Pair pair = halfReady()) {
      MemoryRegion shortLived = pair.a().register(64);
      pair.a().qp().postSend(SendWr.send(1, shortLived.sge()));
      pair.run(TIMEOUT.dividedBy(2));

      shortLived.close();
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 LOC_PROT_ERR");
    }
  }

  @Test
  void anEmptyWriteStillNeedsTheRightOfTheQueuePair() {
    try (Pair pair = Pair.on(form).access(EnumSet.noneOf(AccessFlag.class)).connect()) {
      pair.send(SendWr.rdmaWrite(1, 0, 0), SendWr.send(2));

      assertThat(pair.a().sends()).containsExactly("1 REM_INV_REQ_ERR", "2 WR_FLUSH_ERR");
    }
  }
}
