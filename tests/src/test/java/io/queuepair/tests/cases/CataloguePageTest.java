package io.queuepair.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.GeneratedPage;
import io.queuepair.tests.cases.Catalogue.Entry;
import io.queuepair.tests.cases.Catalogue.State;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every case has a test or a reason, and the page of cases is up to date. */
final class CataloguePageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/conformance-cases.md", CataloguePageTest.class);

  private final Catalogue catalogue = new Catalogue();

  private List<String> ids() {
    return catalogue.entries().stream().map(Entry::id).toList();
  }

  @Test
  void testsAndExceptionsNameCasesThatExist() {
    assertThat(ids()).hasSize(387).doesNotHaveDuplicates();
    assertThat(ids()).containsAll(catalogue.tested());
    assertThat(ids()).containsAll(Catalogue.exceptions().keySet());
  }

  @Test
  void everyCaseOfWhatIsBuiltHasATestOrAReason() {
    assertThat(catalogue.entries().stream().filter(Entry::isOpen).map(Entry::id))
        .as("cases without a test: write one that bears the name, or say why in exceptions.tsv")
        .isEmpty();
  }

  @Test
  void onlyWhatDeviatesHasBothATestAndAReason() {
    Catalogue.exceptions()
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
    PAGE.check(CataloguePage.of(catalogue, PAGE.command()));
  }
}
