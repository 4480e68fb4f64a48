package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageAspect;
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
 * The tests of this module, together, come across everything that devices of the default profile
 * can. Runs as the last class, and only if Maven runs all of them; {@code -Dcoverage=check} runs it
 * after those that {@code -Dtest} names.
 */
@Order(Integer.MAX_VALUE)
@Isolated("comes after all others")
final class SuiteCoverageTest {
  /**
   * What needs packets that no device sends. The fuzzer sends them: {@code FuzzTest}, in the
   * project of tests beside this one, demands each of these aspects in full.
   */
  private static final Map<CoverageAspect, Set<String>> FORGED =
      Map.of(
          CoverageAspect.NAK_RECEIVED,
          Set.of("RESERVED"),
          CoverageAspect.CHECK,
          Set.of("BAD_OPCODE_SEQUENCE"),
          CoverageAspect.MEMORY_CHECK,
          Set.of("WINDOW_KEY", "OTHER_QUEUE_PAIR"),
          CoverageAspect.DROP,
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
    Map<CoverageAspect, List<String>> missing = new EnumMap<>(CoverageAspect.class);
    for (CoverageAspect aspect : CoverageAspect.values()) {
      List<String> names = new ArrayList<>(met.missing(aspect));
      names.removeAll(FORGED.getOrDefault(aspect, Set.of()));
      if (!names.isEmpty()) {
        missing.put(aspect, names);
      }
    }

    assertThat(missing).as("no test leads there; see docs/coverage.md").isEmpty();
  }

  @Test
  void noDeviceMeetsWhatItIsSaidToBeUnableTo() {
    assertThat(SuiteCoverage.surprises()).as("docs/reference/coverage.md is wrong").isEmpty();
  }
}
