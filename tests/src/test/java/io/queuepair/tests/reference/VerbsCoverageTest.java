// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.reference.VerbsCoverage.Function;
import io.queuepair.tests.reference.VerbsCoverage.VerbsLibrary;
import io.queuepair.tests.support.GeneratedPage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every function of both libraries has a method or a reason, and their page is up to date. */
final class VerbsCoverageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/verbs-coverage.md", VerbsCoverageTest.class);

  private final VerbsCoverage coverage = new VerbsCoverage(VerbsLibrary.LIBIBVERBS);
  private final VerbsCoverage librdmacm = new VerbsCoverage(VerbsLibrary.LIBRDMACM);

  private static List<String> names(VerbsCoverage library) {
    return library.functions().stream().map(Function::name).toList();
  }

  @Test
  void methodsAndExceptionsNameFunctionsThatExist() {
    assertThat(names(coverage)).hasSize(190).doesNotHaveDuplicates();
    assertThat(names(coverage)).containsAll(coverage.annotated());
    assertThat(names(coverage)).containsAll(coverage.exceptions().keySet());
    assertThat(names(librdmacm)).hasSize(62).doesNotHaveDuplicates();
    assertThat(names(librdmacm)).containsAll(librdmacm.annotated());
    assertThat(names(librdmacm)).containsAll(librdmacm.exceptions().keySet());
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
  void nothingOfLibrdmacmIsMissing() {
    assertThat(librdmacm.functions())
        .filteredOn(function -> !function.isDone())
        .extracting(Function::name)
        .containsExactlyInAnyOrderElementsOf(librdmacm.exceptions().keySet());
    assertThat(librdmacm.exceptions().values())
        .allSatisfy(absence -> assertThat(absence.state()).isEqualTo("not applicable"));
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
    PAGE.check(VerbsCoveragePage.of(coverage, librdmacm, PAGE.command()));
  }
}
