// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Missing parts, in percent, alone and together. */
final class CoverageTest {
  private static Coverage events(Map<String, Long> hits, Map<String, String> never) {
    return new Coverage().with(CoverageGroup.EVENT, hits, never);
  }

  @Test
  void whatCanNeverBeIsNotMissing() {
    Coverage coverage =
        events(Map.of("A", 3L, "B", 0L, "C", 0L), Map.of("C", "nothing can raise it"));

    assertThat(coverage.missing()).containsExactly(Map.entry(CoverageGroup.EVENT, List.of("B")));
    assertThat(coverage.unreachable(CoverageGroup.EVENT))
        .containsExactly(Map.entry("C", "nothing can raise it"));
    assertThat(coverage.percent(CoverageGroup.EVENT)).isEqualTo(50);
    assertThat(coverage.unexpectedHits()).isEmpty();
  }

  @Test
  void whatHappensThoughItCannotIsASurprise() {
    Coverage coverage = events(Map.of("C", 1L), Map.of("C", "no"));

    assertThat(coverage.unexpectedHits())
        .containsExactly(Map.entry(CoverageGroup.EVENT, List.of("C")));
  }

  @Test
  void togetherWhatOneOfTwoCanIsPossible() {
    Coverage can = events(Map.of("A", 0L), Map.of());
    Coverage cannot = events(Map.of("A", 0L), Map.of("A", "no"));

    assertThat(can.plus(cannot).missing(CoverageGroup.EVENT)).containsExactly("A");
    assertThat(cannot.plus(can).missing(CoverageGroup.EVENT)).containsExactly("A");
    assertThat(cannot.plus(cannot).missing(CoverageGroup.EVENT)).isEmpty();
    assertThat(new Coverage().plus(cannot).unreachable(CoverageGroup.EVENT)).containsKey("A");
  }

  @Test
  void hitsAddUpAndLeaveTheirSummandsAlone() {
    Coverage one = events(Map.of("A", 1L), Map.of());
    Coverage both = one.plus(events(Map.of("A", 2L), Map.of()));

    assertThat(both.hits(CoverageGroup.EVENT)).containsExactly(Map.entry("A", 3L));
    assertThat(one.hits(CoverageGroup.EVENT)).containsExactly(Map.entry("A", 1L));
  }

  @Test
  void aCoverageOfNoDeviceIsNothing() {
    Coverage none = new Coverage().plus(new Coverage());

    assertThat(none.percent()).isZero();
    assertThat(none.percent(CoverageGroup.STATE)).isZero();
    assertThatIllegalStateException()
        .isThrownBy(none::missing)
        .withMessageStartingWith("no device was looked at");
    assertThatIllegalStateException().isThrownBy(() -> none.missing(CoverageGroup.STATE));
  }

  @Test
  void ofATypeAreItsStatesTransitionsAndOpcodes() {
    try (Emulator emulator = Emulator.inMemory()) {
      Coverage all = emulator.addDevice("10.0.0.1").coverage();

      Coverage uc = all.of(QpType.UC);

      assertThat(uc.possible(CoverageGroup.STATE)).isNotEmpty().allMatch(x -> x.startsWith("UC "));
      assertThat(uc.possible(CoverageGroup.TRANSITION))
          .contains("UC RTS -> SQE")
          .allMatch(x -> x.startsWith("UC "));
      assertThat(uc.possible(CoverageGroup.OPCODE_SENT))
          .contains("UC_SEND_ONLY")
          .allMatch(x -> x.startsWith("UC_"));
      assertThat(all.of(QpType.XRC_RECV).possible(CoverageGroup.OPCODE_RECEIVED))
          .contains("XRC_SEND_ONLY");
      assertThat(uc.possible(CoverageGroup.EVENT)).isEqualTo(all.possible(CoverageGroup.EVENT));
    }
  }

  /** 39 states, of which a new device has been in none. */
  @Test
  void aDeviceThatDidNothingMissesEverything() {
    try (Emulator emulator = Emulator.inMemory()) {
      EmulatedDevice device = emulator.addDevice(DeviceProfile.standard(), "10.0.0.1");

      Coverage coverage = device.coverage();

      assertThat(coverage.percent()).isZero();
      assertThat(coverage.missing(CoverageGroup.STATE)).hasSize(39);
    }
  }

  @Test
  void ofAnEmulatorIsThatOfAllItsDevices() {
    try (Emulator emulator = Emulator.inMemory()) {
      for (String address : List.of("10.0.0.1", "10.0.0.2", "10.0.0.3")) {
        Context context = emulator.addDevice(address).open();
        context.allocPd().createQp(QpInitAttr.rc(context.createCq(4), QpCap.of(4)));
      }

      assertThat(emulator.coverage().hits(CoverageGroup.STATE)).containsEntry("RC RESET", 3L);
    }
  }
}
