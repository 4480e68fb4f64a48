package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
  @BeforeEach
  void onlyAfterAllOthers() {
    boolean isMaven = System.getProperty("basedir") != null;
    boolean isAll = isMaven && System.getProperty("test") == null;
    assumeTrue(isAll || "check".equals(System.getProperty("coverage")), "not all tests have run");
  }

  @Test
  void theSuiteMeetsAllThatTheDefaultProfileCan() {
    assertThat(SuiteCoverage.ofDefaultProfile().missing())
        .as("no test leads there; see docs/coverage.md")
        .isEmpty();
    assertThat(SuiteCoverage.ofDefaultProfile().percent()).isEqualTo(100);
  }

  @Test
  void noDeviceMeetsWhatItIsSaidToBeUnableTo() {
    assertThat(SuiteCoverage.surprises()).as("docs/reference/coverage.md is wrong").isEmpty();
  }
}
