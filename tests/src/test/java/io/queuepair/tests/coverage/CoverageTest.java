package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageAspect;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.QpType;
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
  void aCoverageOfNoDeviceIsNothing() {
    Coverage none = new Coverage().plus(new Coverage());

    assertThat(none.percent()).isZero();
    assertThat(none.percent(CoverageAspect.STATE)).isZero();
    assertThatIllegalStateException()
        .isThrownBy(none::missing)
        .withMessageStartingWith("no device was looked at");
    assertThatIllegalStateException().isThrownBy(() -> none.missing(CoverageAspect.STATE));
  }

  @Test
  void ofATypeAreItsStatesTransitionsAndOpcodes() {
    try (Emulator emulator = Emulator.inMemory()) {
      Coverage all = Emulator.coverage(emulator.addDevice("10.0.0.1"));

      Coverage uc = all.of(QpType.UC);

      assertThat(uc.possible(CoverageAspect.STATE)).isNotEmpty().allMatch(x -> x.startsWith("UC "));
      assertThat(uc.possible(CoverageAspect.TRANSITION))
          .contains("UC RTS -> SQE")
          .allMatch(x -> x.startsWith("UC "));
      assertThat(uc.possible(CoverageAspect.OPCODE_SENT))
          .contains("UC_SEND_ONLY")
          .allMatch(x -> x.startsWith("UC_"));
      assertThat(all.of(QpType.XRC_RECV).possible(CoverageAspect.OPCODE_RECEIVED))
          .contains("XRC_SEND_ONLY");
      assertThat(uc.possible(CoverageAspect.EVENT)).isEqualTo(all.possible(CoverageAspect.EVENT));
    }
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
