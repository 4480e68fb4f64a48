// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

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
      pair.a().postSend(SendWr.send(1));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RNR_RETRY_EXC_ERR");
      assertThat(pair.a().state()).isEqualTo(QpState.ERR);
      assertThat(pair.b().state()).isEqualTo(QpState.RTS);
      assertThat(pair.nowNanos())
          .isEqualTo(rnrRetry * WAIT_NANOS + (rnrRetry + 1) * 2L * LATENCY_NANOS);
    }
  }

  @Test
  void areTriedForEverWithSeven() {
    try (Pair pair = pair(7)) {
      pair.a().postSend(SendWr.send(1));
      pair.run(Duration.ofSeconds(5));
      assertThat(pair.a().sends()).isEmpty();

      pair.b().postRecv(RecvWr.of(2));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).containsExactly("2 RECV 0");
    }
  }
}
