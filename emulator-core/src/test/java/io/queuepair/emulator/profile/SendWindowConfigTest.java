// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SendWindowConfigTest {
  /** Bytes that Linux grants with its older default of net.core.rmem_max. */
  private static final long SMALL_BUFFER_BYTES = 425_984;

  @Test
  void fitsABuffer() {
    SendWindowConfig fitted = SendWindowConfig.standard().within(SMALL_BUFFER_BYTES);

    assertThat(fitted.windowBytes()).isLessThanOrEqualTo((int) SMALL_BUFFER_BYTES / 2);
    assertThat(fitted.windowPackets() * 2048L).isLessThanOrEqualTo(SMALL_BUFFER_BYTES);
    assertThat(fitted.turnPackets()).isEqualTo(SendWindowConfig.standard().turnPackets());
  }

  @ParameterizedTest
  @ValueSource(longs = {8 << 20, Long.MAX_VALUE})
  void staysAsItIsWhereThereIsRoom(long heldBytes) {
    assertThat(SendWindowConfig.standard().within(heldBytes))
        .isEqualTo(SendWindowConfig.standard());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4096, 10_000})
  void canAlwaysSendSomething(long heldBytes) {
    SendWindowConfig fitted = SendWindowConfig.standard().within(heldBytes);

    assertThat(fitted.windowBytes()).isPositive();
    assertThat(fitted.windowPackets()).isPositive();
  }

  /** Codes 14 and 20 of the local ACK timeout: 67 ms and 4.3 s. */
  @Test
  void aLongTimeoutIsNotMadeMuchLonger() {
    SendWindowConfig longer = SendWindowConfig.standard().withLongAckTimeout();

    assertThat(longer.ackWaitNanos(67_108_864)).isEqualTo(4 * 67_108_864L);
    assertThat(longer.ackWaitNanos(4_294_967_296L)).isEqualTo(4_294_967_296L + 268_435_456L);
    assertThat(SendWindowConfig.standard().ackWaitNanos(67_108_864)).isEqualTo(67_108_864);
  }
}
