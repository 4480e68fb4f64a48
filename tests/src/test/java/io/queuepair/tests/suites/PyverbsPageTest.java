// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.suites.PyverbsIndex.PyverbsRow;
import io.queuepair.tests.suites.SuiteIndex.CaseState;
import io.queuepair.tests.support.GeneratedPage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every test of pyverbs has one here or a reason, and the page of them is up to date. */
final class PyverbsPageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/pyverbs-cases.md", PyverbsPageTest.class);

  private final PyverbsIndex catalogue = new PyverbsIndex();

  private List<String> ids() {
    return catalogue.rows().stream().map(PyverbsRow::id).toList();
  }

  @Test
  void testsAndExceptionsNameTestsThatExist() {
    assertThat(ids()).hasSize(234).doesNotHaveDuplicates();
    assertThat(ids()).containsAll(catalogue.tested());
    assertThat(ids()).containsAll(PyverbsIndex.exceptions().keySet());
  }

  @Test
  void everyTestOfWhatIsBuiltHasOneHereOrAReason() {
    assertThat(catalogue.rows())
        .filteredOn(PyverbsRow::isOpen)
        .as("without a test: tag one with the name, or say why in pyverbs-exceptions.tsv")
        .extracting(PyverbsRow::id)
        .isEmpty();
  }

  @Test
  void onlyWhatDeviatesHasBothATestAndAReason() {
    PyverbsIndex.exceptions()
        .forEach(
            (id, verdict) -> {
              assertThat(verdict.reason()).as(id).isNotBlank();
              assertThat(catalogue.tested().contains(id))
                  .as(id + " has a test")
                  .isEqualTo(verdict.state() == CaseState.DEVIATING);
            });
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(PyverbsPage.of(catalogue, PAGE.command()));
  }
}
