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

  private static final VerbsCoverage LIBIBVERBS = new VerbsCoverage(VerbsLibrary.LIBIBVERBS);
  private static final VerbsCoverage LIBRDMACM = new VerbsCoverage(VerbsLibrary.LIBRDMACM);

  private static List<String> names(VerbsCoverage library) {
    return library.functions().stream().map(Function::name).toList();
  }

  @Test
  void methodsAndExceptionsNameFunctionsThatExist() {
    assertThat(names(LIBIBVERBS)).hasSize(190).doesNotHaveDuplicates();
    assertThat(names(LIBIBVERBS)).containsAll(LIBIBVERBS.annotated());
    assertThat(names(LIBIBVERBS)).containsAll(LIBIBVERBS.exceptions().keySet());
    assertThat(names(LIBRDMACM)).hasSize(62).doesNotHaveDuplicates();
    assertThat(names(LIBRDMACM)).containsAll(LIBRDMACM.annotated());
    assertThat(names(LIBRDMACM)).containsAll(LIBRDMACM.exceptions().keySet());
  }

  @Test
  void everyFunctionHasAMethodOrAReason() {
    assertThat(LIBIBVERBS.functions())
        .filteredOn(function -> !function.isExplained())
        .as("functions without a method: annotate one, or say why in verbs-exceptions.tsv")
        .extracting(Function::name)
        .isEmpty();
  }

  @Test
  void nothingOfLibrdmacmIsMissing() {
    assertThat(LIBRDMACM.functions())
        .filteredOn(function -> !function.isDone())
        .extracting(Function::name)
        .containsExactlyInAnyOrderElementsOf(LIBRDMACM.exceptions().keySet());
    assertThat(LIBRDMACM.exceptions().values())
        .allSatisfy(absence -> assertThat(absence.state()).isEqualTo("not applicable"));
  }

  @Test
  void whatIsDoneNeedsNoReason() {
    assertThat(LIBIBVERBS.exceptions().keySet())
        .doesNotContainAnyElementsOf(LIBIBVERBS.annotated());
  }

  @Test
  void nothingIsMissingButWhatIsLeftOut() {
    LIBIBVERBS
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
    PAGE.check(VerbsCoveragePage.of(LIBIBVERBS, LIBRDMACM, PAGE.command()));
  }
}
