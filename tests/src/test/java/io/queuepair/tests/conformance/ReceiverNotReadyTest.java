// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that come before the receive they need. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class ReceiverNotReadyTest {
  /** Timer code 12. */
  private static final long WAIT_NANOS = 640_000;

  /** One way from device to device. */
  private static final long LATENCY_NANOS = 1_000;

  @Parameter private LinkForm form;

  private Pair pair(int rnrRetry) {
    return Pair.on(form).rts(attr -> attr.rnrRetry(rnrRetry)).connect();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void failTheSenderAfterItsRetries(int rnrRetry) {
    try (Pair pair = pair(rnrRetry)) {
      pair.a().qp().postSend(SendWr.send(1));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RNR_RETRY_EXC_ERR");
      assertThat(pair.a().state()).isEqualTo(QpState.ERR);
      assertThat(pair.b().state()).isEqualTo(QpState.RTS);
      assertThat(pair.nowNanos())
          .isEqualTo(rnrRetry * WAIT_NANOS + (rnrRetry + 1) * 2L * LATENCY_NANOS);
    }
  }

  @Test
  void failAWriteWithImmediateToo() {
    try (Pair pair = pair(1)) {
      MemoryRegion remote = pair.b().region();

      pair.a().qp().postSend(SendWr.rdmaWriteWithImm(1, remote.addr(), remote.rkey(), 7));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RNR_RETRY_EXC_ERR");
    }
  }

  @Test
  void areTriedForEverWithSeven() {
    try (Pair pair = pair(7)) {
      pair.a().qp().postSend(SendWr.send(1));
      pair.run(Duration.ofSeconds(5));
      assertThat(pair.a().sends()).isEmpty();

      pair.b().qp().postRecv(RecvWr.of(2));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).containsExactly("2 RECV 0");
    }
  }

  @Test
  void arriveWhenTheReceiveIsPostedInTime() {
    try (Pair pair = pair(2)) {
      byte[] message = Bytes.pattern(5000, 1);
      Bytes.into(pair.a().region(), 0, message);
      GuardedRegion target = GuardedRegion.in(pair.b(), 5000);

      pair.a().qp().postSend(SendWr.send(1, pair.a().region().sge(0, 5000)));
      pair.run(Duration.ofNanos(WAIT_NANOS));
      pair.b().qp().postRecv(RecvWr.of(2, target.sge()));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).containsExactly("2 RECV 5000");
      target.assertHolds(message);
    }
  }

  @Test
  void completeOneForEachReceive() {
    try (Pair pair = pair(1)) {
      for (int wrId = 0; wrId < 16; wrId++) {
        pair.b().qp().postRecv(RecvWr.of(wrId));
      }
      for (int wrId = 0; wrId < 32; wrId++) {
        pair.a().qp().postSend(SendWr.send(wrId));
      }
      pair.drain();

      assertThat(pair.b().receives()).hasSize(16);
      assertThat(pair.a().sends())
          .hasSize(32)
          .contains("15 SEND", "16 RNR_RETRY_EXC_ERR", "17 WR_FLUSH_ERR", "31 WR_FLUSH_ERR");
    }
  }

  @Test
  void allArriveWhenReceivesComeLate() {
    try (Pair pair = pair(7)) {
      for (int wrId = 0; wrId < 32; wrId++) {
        pair.a().qp().postSend(SendWr.send(wrId, pair.a().region().sge(0, wrId)));
      }
      for (int wrId = 0; wrId < 32; wrId++) {
        pair.run(Duration.ofMillis(1));
        pair.b().qp().postRecv(RecvWr.of(wrId, pair.b().region().sge(0, 64)));
      }
      pair.drain();

      assertThat(pair.a().sends()).hasSize(32).allMatch(each -> each.endsWith("SEND"));
      assertThat(pair.b().receives()).hasSize(32).last().isEqualTo("31 RECV 31");
    }
  }

  @Test
  void holdUpOnlyTheirOwnQueuePair() {
    try (Pair pair = pair(7)) {
      pair.a().qp().postSend(SendWr.send(1));
      pair.run(Duration.ofMillis(10));
      pair.a().qp().postRecv(RecvWr.of(3));

      pair.b().qp().postSend(SendWr.send(2));
      pair.run(Duration.ofMillis(1));

      assertThat(pair.b().sends()).containsExactly("2 SEND");
      assertThat(pair.a().receives()).containsExactly("3 RECV 0");
    }
  }
}
