package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortWaitsTest {
  private static final long FOR_EVER = Long.MAX_VALUE;

  /** What one look takes. */
  private static final long LOOK_NANOS = 1_000;

  private long nowNanos;
  private int looks;

  private final ShortWaits waits = new ShortWaits(() -> nowNanos, 2);

  @Test
  void sleepsAtOnceWhileWaitsAreLong() {
    assertThat(waits.spin(this::lookInVain, FOR_EVER)).isFalse();
    wakeAfter(ShortWaits.LONGEST_NANOS);

    assertThat(waits.spin(this::lookInVain, FOR_EVER)).isFalse();
    assertThat(looks).isZero();
  }

  @Test
  void spinsAfterAShortSleep() {
    beShort();

    assertThat(waits.spin(() -> look(5), FOR_EVER)).isTrue();
    assertThat(looks).isEqualTo(5);
  }

  @Test
  void spinsAgainAfterItHelped() {
    beShort();
    waits.spin(() -> look(5), FOR_EVER);
    looks = 0;

    assertThat(waits.spin(() -> look(7), FOR_EVER)).isTrue();
    assertThat(looks).isEqualTo(7);
  }

  @Test
  void spinsNoLongerThanAShortWaitLasts() {
    beShort();

    assertThat(waits.spin(this::lookInVain, FOR_EVER)).isFalse();
    assertThat(looks * LOOK_NANOS).isEqualTo(ShortWaits.LONGEST_NANOS);

    wakeAfter(1);
    looks = 0;
    waits.spin(this::lookInVain, FOR_EVER);
    assertThat(looks).as("after a wait that was longer").isZero();
  }

  @Test
  void spinsNoLongerThanTheWaitMayLast() {
    beShort();

    assertThat(waits.spin(this::lookInVain, 3 * LOOK_NANOS)).isFalse();
    assertThat(looks).isEqualTo(3);
  }

  @Test
  void triesNowAndThenWhetherWaitsAreStillLong() {
    for (int i = 1; i < ShortWaits.WAITS_PER_TRY; i++) {
      waits.spin(this::lookInVain, FOR_EVER);
      wakeAfter(ShortWaits.LONGEST_NANOS);
    }
    assertThat(looks).isZero();

    assertThat(waits.spin(() -> look(2), FOR_EVER)).isTrue();
    assertThat(waits.spin(() -> look(4), FOR_EVER)).as("the next one").isTrue();
  }

  @Test
  void neverSpinsWithASingleProcessor() {
    ShortWaits alone = new ShortWaits(() -> nowNanos, 1);

    for (int i = 0; i < 2 * ShortWaits.WAITS_PER_TRY; i++) {
      assertThat(alone.spin(() -> look(1), FOR_EVER)).isFalse();
      alone.woke();
    }
    assertThat(looks).isZero();
  }

  private void beShort() {
    waits.spin(this::lookInVain, FOR_EVER);
    wakeAfter(ShortWaits.LONGEST_NANOS - 1);
    assertThat(looks).isZero();
  }

  private void wakeAfter(long nanos) {
    nowNanos += nanos;
    waits.woke();
  }

  private boolean lookInVain() {
    return look(Integer.MAX_VALUE);
  }

  /** Finds something when it has looked so often. */
  private boolean look(int enough) {
    nowNanos += LOOK_NANOS;
    looks++;
    return looks >= enough;
  }
}
