// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Whatever arrives, a device does no wrong. */
@Isolated("a fuzz run watches the heap of the process")
final class FuzzTest {
  private static FuzzTotals run(long datagrams, long seed) {
    return Fuzzer.run(datagrams, seed, RegionFactory.FAITHFUL, sofar -> {});
  }

  @Test
  void nothingForbiddenHappensAndEverythingIsMet() {
    FuzzTotals totals = run(20_000, 1);

    assertThat(totals.findings()).isEmpty();
    assertThat(totals.report().missing()).isEmpty();
    assertThat(totals.datagrams()).isEqualTo(20_000);
    assertThat(totals.report().nearShare()).isGreaterThanOrEqualTo(0.5);
    assertThat(totals.report().acceptedShare()).isGreaterThanOrEqualTo(0.1);
  }

  @Test
  void theSameSeedFiresTheSameDatagrams() {
    FuzzReport once = run(3_000, 7).report();
    FuzzReport again = run(3_000, 7).report();

    assertThat(again.line()).isEqualTo(once.line());
    assertThat(again.lines()).isEqualTo(once.lines());
    assertThat(run(3_000, 8).report().lines()).isNotEqualTo(once.lines());
  }
}
