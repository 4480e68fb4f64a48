// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
  private static final long FOR_EVER = Long.MAX_VALUE;

  /** Duration of one look, in nanoseconds. */
  private static final long LOOK_NANOS = 1_000;

  private long nowNanos;
  private int looks;

  private final AdaptiveSpin waits = new AdaptiveSpin(() -> nowNanos, 2);

  @Test
  void longWaitsAreNotWorthSpinning() {
    assertThat(waits.areWorthSpinning()).isFalse();
    waits.slept(AdaptiveSpin.LONGEST_NANOS);
    assertThat(waits.areWorthSpinning()).isFalse();
  }

  @Test
  void shortSleepsAreWorthSpinning() {
    waits.slept(AdaptiveSpin.LONGEST_NANOS - 1);
    assertThat(waits.areWorthSpinning()).isTrue();
  }

  @Test
  void spinsUntilTheWaitIsOver() {
    assertThat(waits.spin(() -> look(5), FOR_EVER)).isTrue();
    assertThat(looks).isEqualTo(5);
    assertThat(waits.areWorthSpinning()).isTrue();
  }

  @Test
  void spinsNoLongerThanAShortWaitLasts() {
    waits.slept(0);

    assertThat(waits.spin(this::lookInVain, FOR_EVER)).isFalse();
    assertThat(looks * LOOK_NANOS).isEqualTo(AdaptiveSpin.LONGEST_NANOS);
    assertThat(waits.areWorthSpinning()).isFalse();
  }

  @Test
  void spinsNoLongerThanTheWaitMayLast() {
    assertThat(waits.spin(this::lookInVain, 3 * LOOK_NANOS)).isFalse();
    assertThat(looks).isEqualTo(3);
  }

  @Test
  void triesNowAndThenWhetherWaitsAreStillLong() {
    for (int tries = 0; tries < 3; tries++) {
      for (int i = 1; i < AdaptiveSpin.WAITS_PER_TRY; i++) {
        assertThat(waits.areWorthSpinning()).isFalse();
        waits.slept(AdaptiveSpin.LONGEST_NANOS);
      }
      assertThat(waits.areWorthSpinning()).isTrue();
      waits.spin(this::lookInVain, FOR_EVER);
    }
  }

  @Test
  void nothingIsWorthSpinningWithASingleProcessor() {
    AdaptiveSpin alone = new AdaptiveSpin(() -> nowNanos, 1);

    for (int i = 0; i < 2 * AdaptiveSpin.WAITS_PER_TRY; i++) {
      alone.slept(0);
      assertThat(alone.areWorthSpinning()).isFalse();
    }
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

  // A loop that looks in vain yields its processor.

  private final AtomicInteger yields = new AtomicInteger();
  private final SpinYield courtesy = new SpinYield(yields::incrementAndGet);

  @Test
  void yieldsAfterManyLooksInVain() {
    look(courtesy, SpinYield.SPINS_BEFORE_YIELD - 1);
    assertThat(yields).hasValue(0);

    look(courtesy, 1);
    assertThat(yields).hasValue(1);

    look(courtesy, 2 * SpinYield.SPINS_BEFORE_YIELD);
    assertThat(yields).hasValue(3);
  }

  @Test
  void doesNotYieldWhileThereIsSomethingToDo() {
    for (int i = 0; i < 100; i++) {
      look(courtesy, SpinYield.SPINS_BEFORE_YIELD - 1);
      courtesy.looked(true);
    }

    assertThat(yields).hasValue(0);
  }

  private static void look(SpinYield courtesy, int times) {
    for (int i = 0; i < times; i++) {
      courtesy.looked(false);
    }
  }
}
