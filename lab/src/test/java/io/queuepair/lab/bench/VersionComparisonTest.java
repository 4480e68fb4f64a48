// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.lab.bench.VersionComparison.Measured;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Divides what this version reached by what the other one did. */
final class VersionComparisonTest {
  @Test
  void eachTurnIsComparedByItself() {
    Measured measured = new Measured(List.of(2.0, 4.0, 10.0), List.of(1.0, 8.0, 5.0));

    assertThat(measured.ratios()).containsExactly(0.5, 2.0, 0.5);
    assertThat(measured.medianBefore()).isEqualTo(4.0);
    assertThat(measured.medianNow()).isEqualTo(5.0);
  }
}
