// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.QpState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a requester does when the peer has no receive posted. NAK2c is an RNR NAK with timer code
 * 12, 640,000 ns; NAK20 one with code 0, 655,360,000 ns; NAK60 reports a PSN sequence error.
 */
final class ReceiverWaitTest {
  private EngineFixture us = EngineFixture.ready();

  private static EngineFixture withRetries(int retryCnt) {
    return EngineFixture.ready(attr -> attr.retryCnt(retryCnt));
  }

  private static EngineFixture withRnrRetries(int rnrRetry) {
    return EngineFixture.ready(attr -> attr.rnrRetry(rnrRetry));
  }

  @ParameterizedTest
  @CsvSource({
    "20, 655360000",
    "21, 10000",
    "22, 20000",
    "2c, 640000",
    "39, 61440000",
    "3f, 491520000"
  })
  void waitsAsLongAsThePeerSays(String syndrome, long nanos) {
    us = EngineFixture.ready(attr -> attr.timeout(0));

    assertThat(us.run("send 1; NAK" + syndrome + " 100 #0")).isEqualTo("SEND_ONLY 100");
    assertThat(us.elapse(nanos - 1)).isEmpty();
    assertThat(us.elapse(1)).hasSize(1);
  }

  @Test
  void sendsEverythingFromTheRefusedPsnAgain() {
    us.run("send 1; send 2; send 3; NAK2c 101 #1");

    assertThat(us.run("wait 640000")).isEqualTo("SEND_ONLY 101; SEND_ONLY 102");
    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void sendsNothingNewWhileItWaits() {
    us.run("send 1; NAK2c 100");

    assertThat(us.run("send 2")).isEmpty();
    assertThat(us.run("wait 640000")).isEqualTo("SEND_ONLY 100; SEND_ONLY 101");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 6})
  void toleratesRnrRetryRefusals(int rnrRetry) {
    us = withRnrRetries(rnrRetry);
    us.run("send 1; send 2" + "; NAK2c 100; wait 640000".repeat(rnrRetry));
    assertThat(us.sends()).isEmpty();

    us.run("NAK2c 100");

    assertThat(us.sends()).containsExactly("1 RNR_RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void toleratesAnyNumberOfRefusalsWithSeven() {
    us = withRnrRetries(7);

    us.run("send 1" + "; NAK2c 100; wait 640000".repeat(200) + "; ACK 100");

    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  /** It is no progress: the packet is to be sent again. */
  @Test
  void aRefusalRestoresNoRetries() {
    us.run("send 1; timeout 2; NAK2c 100; wait 640000; timeout");

    assertThat(us.sends()).containsExactly("1 RETRY_EXC_ERR");
  }

  /**
   * A wait is in vain only if it can last for ever, and its receiver has accepted nothing since.
   */
  @ParameterizedTest
  @CsvSource({
    "7, send 1; NAK2c 100, false",
    "7, send 1; NAK2c 100; wait 640000; ACK 100; send 2, true",
    "6, send 1; NAK2c 100, true"
  })
  void isInVainOnlyWithoutLimitAndProgress(int rnrRetry, String script, boolean isDue) {
    us = withRnrRetries(rnrRetry);

    us.run(script);

    assertThat(us.isAnythingDue()).isEqualTo(isDue);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # A refusal that comes often counts once.
          2 | send 1; NAK2c 100; NAK2c 100; NAK2c 100; NAK2c 100; wait 640000 \
          | SEND_ONLY 100; SEND_ONLY 100 | ''
          # Progress restores all: here there are two.
          2 | send 1; NAK2c 100; wait 640000; NAK2c 100; wait 640000; ACK 100; \
              send 2; NAK2c 101; wait 640000; NAK2c 101; wait 640000 \
          | SEND_ONLY 100; SEND_ONLY 100; SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 101; \
          SEND_ONLY 101 \
          | 1 SEND 0
          # Losses are counted apart; the wait takes none.
          2 | send 1; timeout 2; NAK2c 100; wait 640000; NAK2c 100; wait 640000; ACK 100 \
          | SEND_ONLY 100; SEND_ONLY 100; SEND_ONLY 100; SEND_ONLY 100; SEND_ONLY 100 | 1 SEND 0
          0 | send 1; NAK20 100; wait 655360000; ACK 100 | SEND_ONLY 100; SEND_ONLY 100 | 1 SEND 0
          # The network doubled the first packet; the second copy found a receive.
          0 | send 1; send 2; NAK20 100; ACK 100; wait 655360000 \
          | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 101 | 1 SEND 0
          # Linux Soft-RoCE reports what followed a refused packet as missing.
          0 | send 1; send 2; NAK2c 100; NAK60 100; wait 640000 \
          | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 100; SEND_ONLY 101 | ''
          # The ACK timeout begins after the wait.
          2 | send 1; NAK2c 100; wait 640000; wait 67108863 | SEND_ONLY 100; SEND_ONLY 100 | ''
          2 | send 1; NAK2c 100; wait 640000; wait 67108864 \
          | SEND_ONLY 100; SEND_ONLY 100; SEND_ONLY 100 | ''
          # A packet that was lost, refused, and is lost again.
          2 | send 1; send 2; NAK60 100; NAK2c 100; wait 640000; NAK60 100; ACK 101 \
          | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 100; \
          SEND_ONLY 101; SEND_ONLY 100; SEND_ONLY 101 \
          | 1 SEND 0; 2 SEND 0
          # What is missing after the wait is sent again, and takes a retry.
          1 | send 1; send 2; NAK2c 100; wait 640000; NAK60 101 \
          | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 101 | 1 SEND 0
          """)
  void takesNoRetriesForTheTimeItWaits(int retryCnt, String script, String left, String sends) {
    us = withRetries(retryCnt);

    assertThat(us.run(script)).isEqualTo(left);
    assertThat(String.join("; ", us.sends())).isEqualTo(sends);
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }
}
