// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PsnTest {
  private static final int LARGEST = 0xffffff;
  private static final int WINDOW = 0x800000;

  @Test
  void wrapsAround() {
    assertThat(Psn.next(LARGEST)).isZero();
    assertThat(Psn.previous(0)).isEqualTo(LARGEST);
    assertThat(Psn.add(LARGEST, 3)).isEqualTo(2);
    assertThat(Psn.minus(2, 3)).isEqualTo(LARGEST);
    assertThat(Psn.distance(LARGEST, 2)).isEqualTo(3);
    assertThat(Psn.distance(2, LARGEST)).isEqualTo(LARGEST - 2);
  }

  @Test
  void ordersAcrossTheWrap() {
    assertThat(Psn.isBefore(LARGEST, 0)).isTrue();
    assertThat(Psn.isAfter(0, LARGEST)).isTrue();
    assertThat(Psn.isBefore(5, 5)).isFalse();
    assertThat(Psn.isAfter(5, 5)).isFalse();
    assertThat(Psn.compare(2, LARGEST)).isEqualTo(3);
    assertThat(Psn.compare(LARGEST, 2)).isEqualTo(-3);
  }

  @Test
  void seesLessThanHalfTheNumbersAhead() {
    assertThat(Psn.isAfter(WINDOW - 1, 0)).isTrue();
    assertThat(Psn.isBefore(WINDOW, 0)).isTrue();
    assertThat(Psn.isBefore(WINDOW + 1, 0)).isTrue();
  }

  @Property
  void comparesByDistance(
      @ForAll @IntRange(max = LARGEST) int psn, @ForAll @IntRange(max = WINDOW - 1) int ahead) {
    int later = Psn.add(psn, ahead);

    assertThat(Psn.compare(later, psn)).isEqualTo(ahead);
    assertThat(Psn.compare(psn, later)).isEqualTo(-ahead);
    assertThat(Psn.distance(psn, later)).isEqualTo(ahead);
    assertThat(Psn.minus(later, ahead)).isEqualTo(psn);
  }
}
