package io.queuepair.emulator.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PacingTest {
  /** What Linux grants with its older default of net.core.rmem_max. */
  private static final long SMALL_BUFFER_BYTES = 425_984;

  @Test
  void fitsABuffer() {
    Pacing fitted = Pacing.standard().within(SMALL_BUFFER_BYTES);

    assertThat(fitted.windowBytes()).isLessThanOrEqualTo((int) SMALL_BUFFER_BYTES / 2);
    assertThat(fitted.windowPackets() * 2048L).isLessThanOrEqualTo(SMALL_BUFFER_BYTES);
    assertThat(fitted.turnPackets()).isEqualTo(Pacing.standard().turnPackets());
  }

  @ParameterizedTest
  @ValueSource(longs = {8 << 20, Long.MAX_VALUE})
  void staysAsItIsWhereThereIsRoom(long heldBytes) {
    assertThat(Pacing.standard().within(heldBytes)).isEqualTo(Pacing.standard());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4096, 10_000})
  void canAlwaysSendSomething(long heldBytes) {
    Pacing fitted = Pacing.standard().within(heldBytes);

    assertThat(fitted.windowBytes()).isPositive();
    assertThat(fitted.windowPackets()).isPositive();
    assertThat(fitted.ackRequestEveryPackets()).isBetween(1, fitted.windowPackets());
  }
}
