package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.GeneratedPage;
import io.queuepair.tests.reference.VerbsCoverage.Function;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every function of libibverbs has a method or a reason, and the page about it is up to date. */
final class VerbsCoverageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/verbs-coverage.md", VerbsCoverageTest.class);

  private final VerbsCoverage coverage = new VerbsCoverage();

  private List<String> names() {
    return coverage.functions().stream().map(Function::name).toList();
  }

  @Test
  void methodsAndExceptionsNameFunctionsThatExist() {
    assertThat(names()).hasSize(190).doesNotHaveDuplicates();
    assertThat(names()).containsAll(coverage.annotated());
    assertThat(names()).containsAll(coverage.exceptions().keySet());
  }

  @Test
  void everyFunctionHasAMethodOrAReason() {
    assertThat(coverage.functions())
        .filteredOn(function -> !function.isExplained())
        .as("functions without a method: annotate one, or say why in verbs-exceptions.tsv")
        .extracting(Function::name)
        .isEmpty();
  }

  @Test
  void whatIsDoneNeedsNoReason() {
    assertThat(coverage.exceptions().keySet()).doesNotContainAnyElementsOf(coverage.annotated());
  }

  @Test
  void nothingIsMissingButWhatIsLeftOut() {
    coverage
        .exceptions()
        .forEach(
            (name, absence) -> {
              assertThat(absence.state()).as(name).isIn("missing", "not applicable");
              assertThat(absence.reason()).as(name).isNotBlank();
              assertThat(VerbsCoverage.LEFT_OUT.contains(absence.reason()))
                  .as(name + " is left out")
                  .isEqualTo(absence.state().equals("missing"));
            });
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(VerbsCoveragePage.of(coverage, PAGE.command()));
  }
}
