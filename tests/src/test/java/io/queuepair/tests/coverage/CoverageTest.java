package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageAspect;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Device;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is missing, in percent, alone and together. */
final class CoverageTest {
  private static Coverage events(Map<String, Long> hits, Map<String, String> never) {
    return new Coverage().with(CoverageAspect.EVENT, hits, never);
  }

  @Test
  void whatCanNeverBeIsNotMissing() {
    Coverage coverage =
        events(Map.of("A", 3L, "B", 0L, "C", 0L), Map.of("C", "nobody is there to raise it"));

    assertThat(coverage.missing()).containsExactly(Map.entry(CoverageAspect.EVENT, List.of("B")));
    assertThat(coverage.never(CoverageAspect.EVENT))
        .containsExactly(Map.entry("C", "nobody is there to raise it"));
    assertThat(coverage.percent(CoverageAspect.EVENT)).isEqualTo(50);
    assertThat(coverage.surprises()).isEmpty();
  }

  @Test
  void whatHappensThoughItCannotIsASurprise() {
    Coverage coverage = events(Map.of("C", 1L), Map.of("C", "no"));

    assertThat(coverage.surprises()).containsExactly(Map.entry(CoverageAspect.EVENT, List.of("C")));
  }

  @Test
  void togetherWhatOneOfTwoCanIsPossible() {
    Coverage can = events(Map.of("A", 0L), Map.of());
    Coverage cannot = events(Map.of("A", 0L), Map.of("A", "no"));

    assertThat(can.plus(cannot).missing(CoverageAspect.EVENT)).containsExactly("A");
    assertThat(cannot.plus(can).missing(CoverageAspect.EVENT)).containsExactly("A");
    assertThat(cannot.plus(cannot).missing(CoverageAspect.EVENT)).isEmpty();
    assertThat(new Coverage().plus(cannot).never(CoverageAspect.EVENT)).containsKey("A");
  }

  @Test
  void hitsAddUpAndLeaveTheirSummandsAlone() {
    Coverage one = events(Map.of("A", 1L), Map.of());
    Coverage both = one.plus(events(Map.of("A", 2L), Map.of()));

    assertThat(both.hits(CoverageAspect.EVENT)).containsExactly(Map.entry("A", 3L));
    assertThat(one.hits(CoverageAspect.EVENT)).containsExactly(Map.entry("A", 1L));
  }

  @Test
  void nothingIsMissingOfNothing() {
    assertThat(new Coverage().percent()).isEqualTo(100);
    assertThat(new Coverage().percent(CoverageAspect.DROP)).isEqualTo(100);
  }

  /** 39 states, of which a new device has been in none. */
  @Test
  void aDeviceThatDidNothingMissesEverything() {
    try (Emulator emulator = Emulator.inMemory()) {
      Device device = emulator.addDevice(DeviceProfile.standard(), "10.0.0.1");

      Coverage coverage = Emulator.coverage(device);

      assertThat(coverage.percent()).isZero();
      assertThat(coverage.missing(CoverageAspect.STATE)).hasSize(39);
    }
  }
}
