package io.queuepair.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.GeneratedPage;
import io.queuepair.tests.cases.Catalogue.State;
import io.queuepair.tests.cases.PyverbsCatalogue.Row;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every test of pyverbs has one here or a reason, and the page of them is up to date. */
final class PyverbsPageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/pyverbs-cases.md", PyverbsPageTest.class);

  private final PyverbsCatalogue catalogue = new PyverbsCatalogue();

  private List<String> ids() {
    return catalogue.rows().stream().map(Row::id).toList();
  }

  @Test
  void testsAndExceptionsNameTestsThatExist() {
    assertThat(ids()).hasSize(234).doesNotHaveDuplicates();
    assertThat(ids()).containsAll(catalogue.tested());
    assertThat(ids()).containsAll(PyverbsCatalogue.exceptions().keySet());
  }

  @Test
  void everyTestOfWhatIsBuiltHasOneHereOrAReason() {
    assertThat(catalogue.rows())
        .filteredOn(Row::isOpen)
        .as("without a test: tag one with the name, or say why in pyverbs-exceptions.tsv")
        .extracting(Row::id)
        .isEmpty();
  }

  @Test
  void onlyWhatDeviatesHasBothATestAndAReason() {
    PyverbsCatalogue.exceptions()
        .forEach(
            (id, verdict) -> {
              assertThat(verdict.reason()).as(id).isNotBlank();
              assertThat(catalogue.tested().contains(id))
                  .as(id + " has a test")
                  .isEqualTo(verdict.state() == State.DEVIATING);
            });
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(PyverbsPage.of(catalogue, PAGE.command()));
  }
}
