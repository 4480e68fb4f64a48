package io.queuepair.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.SourceTree;
import io.queuepair.tests.cases.Catalogue.State;
import io.queuepair.tests.cases.PyverbsCatalogue.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every test of pyverbs has one here or a reason, and the page of them is up to date. */
final class PyverbsPageTest {
  private static final String PAGE = "docs/reference/pyverbs-cases.md";
  private static final String COMMAND =
      "mvn -q -Dquick -pl tests -am test -Dtest=PyverbsPageTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dpages=write";

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
    Path page = SourceTree.root().resolve(PAGE);
    String generated = PyverbsPage.of(catalogue, COMMAND);
    if ("write".equals(System.getProperty("pages"))) {
      Files.writeString(page, generated);
    }

    assertThat(Files.readString(page))
        .as(PAGE + " is not what is generated now: run " + COMMAND)
        .isEqualToNormalizingNewlines(generated);
  }
}
