package io.queuepair.tests.tools.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.fuzz.FuzzTotals;
import io.queuepair.tools.fuzz.Fuzzer;
import io.queuepair.tools.fuzz.Registrar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Whatever arrives, a device does no wrong. */
@Isolated("a fuzz run watches the heap of the process")
final class FuzzTest {
  private static FuzzTotals run(long datagrams, long seed) {
    return Fuzzer.run(datagrams, seed, Registrar.FAITHFUL, sofar -> {});
  }

  @Test
  void nothingForbiddenHappensAndEverythingIsMet() {
    FuzzTotals totals = run(20_000, 1);

    assertThat(totals.findings()).isEmpty();
    assertThat(totals.missing()).isEmpty();
    assertThat(totals.datagrams()).isEqualTo(20_000);
    assertThat(totals.nearShare()).isGreaterThanOrEqualTo(0.5);
    assertThat(totals.acceptedShare()).isGreaterThanOrEqualTo(0.1);
  }

  @Test
  void theSameSeedFiresTheSameDatagrams() {
    FuzzTotals once = run(3_000, 7);
    FuzzTotals again = run(3_000, 7);

    assertThat(again.line()).isEqualTo(once.line());
    assertThat(again.hits()).isEqualTo(once.hits());
    assertThat(run(3_000, 8).hits()).isNotEqualTo(once.hits());
  }
}
