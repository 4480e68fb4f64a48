// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.QpState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Binds and invalidations among other requests: when they take effect, and when they complete. */
final class LocalOperationsTest {
  private final EngineFixture us = EngineFixture.ready();
  private final WindowFixture windows = us.windows();

  private void assertCompletes(String script, String left, String sends) {
    assertThat(us.run(script)).isEqualTo(left);
    assertThat(String.join("; ", us.sends())).isEqualTo(sends);
  }

  @Test
  void aBindSendsNothingAndCompletesAtOnce() {
    assertCompletes("bind 1", "", "1 BIND_MW 0");

    assertThat(windows.isOpen(windows.window())).isTrue();
    assertThat(us.hasDeadline()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # A bind takes no PSN, effect at once, and completes after older requests.
          send 1 & bind 2 & send 3         | SEND_ONLY 100; SEND_ONLY 101 | '' | true
          send 1 & bind 2 & send 3; ACK 100 \
          | SEND_ONLY 100; SEND_ONLY 101 | 1 SEND 0; 2 BIND_MW 0 | true
          read 1 8 & bind 2                | READ_REQUEST 100 @0+8        | '' | true
          read 1 8 & bind 2; READ_RESPONSE_ONLY 100 8 \
          | READ_REQUEST 100 @0+8 | 1 RDMA_READ 8; 2 BIND_MW 0 | true
          send 1 & bind 2 & read 3 8; READ_RESPONSE_ONLY 101 8 \
          | SEND_ONLY 100; READ_REQUEST 101 @0+8 | 1 SEND 0; 2 BIND_MW 0; 3 RDMA_READ 8 | true
          bind 1 silent                    | ''                           | '' | true
          # A fence waits for READs, not for SENDs.
          read 1 8 & bind 2 fenced         | READ_REQUEST 100 @0+8        | '' | false
          read 1 8 & bind 2 fenced; READ_RESPONSE_ONLY 100 8 \
          | READ_REQUEST 100 @0+8 | 1 RDMA_READ 8; 2 BIND_MW 0 | true
          send 1 & bind 2 fenced           | SEND_ONLY 100                | '' | true
          # An invalidation waits for all older requests.
          bind 1; send 2 & invalidate 3 & send 4 | SEND_ONLY 100 | 1 BIND_MW 0 | true
          bind 1; send 2 & invalidate 3 & send 4; ACK 100 \
          | SEND_ONLY 100; SEND_ONLY 101 | 1 BIND_MW 0; 2 SEND 0; 3 LOCAL_INV 0 | false
          bind 1; invalidate 2 & bind 3 \
          | '' | 1 BIND_MW 0; 2 LOCAL_INV 0; 3 BIND_MW 0 | true
          # Going back does not bind again.
          send 1 & bind 2 & send 3; timeout; ACK 101 #2 \
          | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 100; SEND_ONLY 101 \
          | 1 SEND 0; 2 BIND_MW 0; 3 SEND 0 | true
          # A bind that fails waits for its turn.
          send 1 & badbind 2 & send 3      | SEND_ONLY 100                | '' | false
          # Nothing is bound in SQD.
          sqd; bind 1                      | ''                           | '' | false
          sqd; bind 1; rts                 | ''                           | 1 BIND_MW 0 | true
          """)
  void takesEffectAndCompletes(String script, String left, String sends, boolean isOpen) {
    assertCompletes(script, left, sends);

    assertThat(windows.isOpen(windows.window())).isEqualTo(isOpen);
  }

  @Test
  void aFailedBindWaitsForItsTurnToFail() {
    assertCompletes(
        "send 1 & badbind 2 & send 3; ACK 100",
        "SEND_ONLY 100",
        "1 SEND 0; 2 MW_BIND_ERR; 3 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void anOlderFailureFlushesABindThatTookEffect() {
    assertCompletes(
        "send 1 & bind 2; NAK62 100 #0", "SEND_ONLY 100", "1 REM_ACCESS_ERR; 2 WR_FLUSH_ERR");
  }

  @Test
  void resetClosesTheWindowsOfType2() {
    us.run("bind 1; reset; connect");

    assertThat(windows.isOpen(windows.window())).isFalse();
  }
}
