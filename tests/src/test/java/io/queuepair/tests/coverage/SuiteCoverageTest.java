// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The tests of this module, together, cover everything that devices of the default profile can.
 * Runs as the last class, and only if Maven runs all of them; {@code -Dcoverage=check} runs it
 * after those that {@code -Dtest} names.
 */
@Order(Integer.MAX_VALUE)
@Isolated("comes after all others")
final class SuiteCoverageTest {
  /**
   * Members that need packets that no device sends. {@code FuzzCorpusTest} of the laboratory
   * demands each of these groups in full.
   */
  private static final Map<CoverageGroup, Set<String>> FORGED =
      Map.of(
          CoverageGroup.NAK_RECEIVED,
          Set.of("RESERVED"),
          CoverageGroup.CHECK,
          Set.of("BAD_OPCODE_SEQUENCE"),
          CoverageGroup.MEMORY_CHECK,
          Set.of("WINDOW_KEY", "OTHER_QUEUE_PAIR"),
          CoverageGroup.DROP,
          Set.of("TOO_SHORT", "BAD_TRANSPORT_VERSION", "BAD_LENGTH", "DEST_QP_ZERO", "MALFORMED"));

  @BeforeEach
  void onlyAfterAllOthers() {
    boolean isMaven = System.getProperty("basedir") != null;
    boolean isAll = isMaven && System.getProperty("test") == null;
    assumeTrue(isAll || "check".equals(System.getProperty("coverage")), "not all tests have run");
  }

  @Test
  void theSuiteMeetsAllThatTheDefaultProfileCan() {
    Coverage met = SuiteCoverage.ofDefaultProfile();
    Map<CoverageGroup, List<String>> missing = new EnumMap<>(CoverageGroup.class);
    for (CoverageGroup group : CoverageGroup.values()) {
      List<String> names = new ArrayList<>(met.missing(group));
      names.removeAll(FORGED.getOrDefault(group, Set.of()));
      if (!names.isEmpty()) {
        missing.put(group, names);
      }
    }

    assertThat(missing).as("no test leads there; see docs/coverage.md").isEmpty();
  }

  @Test
  void noDeviceMeetsWhatItIsSaidToBeUnableTo() {
    assertThat(SuiteCoverage.unexpectedHits()).as("docs/reference/coverage.md is wrong").isEmpty();
  }
}
