// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SpinYieldTest {
  private final AtomicInteger yields = new AtomicInteger();
  private final SpinYield courtesy = new SpinYield(yields::incrementAndGet);

  @Test
  void yieldsAfterManyLooksInVain() {
    look(SpinYield.SPINS_BEFORE_YIELD - 1);
    assertThat(yields).hasValue(0);

    look(1);
    assertThat(yields).hasValue(1);

    look(2 * SpinYield.SPINS_BEFORE_YIELD);
    assertThat(yields).hasValue(3);
  }

  @Test
  void doesNotYieldWhileThereIsSomethingToDo() {
    for (int i = 0; i < 100; i++) {
      look(SpinYield.SPINS_BEFORE_YIELD - 1);
      courtesy.looked(true);
    }

    assertThat(yields).hasValue(0);
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      courtesy.looked(false);
    }
  }
}
