// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.suites.SuiteIndex.CaseState;
import io.queuepair.tests.suites.SuiteIndex.Entry;
import io.queuepair.tests.support.GeneratedPage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every case has a test or a reason, and the page of cases is up to date. */
final class SuiteIndexPageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/conformance-cases.md", SuiteIndexPageTest.class);

  private final SuiteIndex suiteIndex = new SuiteIndex();

  private List<String> ids() {
    return suiteIndex.entries().stream().map(Entry::id).toList();
  }

  @Test
  void testsAndExceptionsNameCasesThatExist() {
    assertThat(ids()).hasSize(387).doesNotHaveDuplicates();
    assertThat(ids()).containsAll(suiteIndex.tested());
    assertThat(ids()).containsAll(SuiteIndex.exceptions().keySet());
  }

  @Test
  void everyCaseOfWhatIsBuiltHasATestOrAReason() {
    assertThat(suiteIndex.entries().stream().filter(Entry::isOpen).map(Entry::id))
        .as("cases without a test: write one that bears the name, or say why in exceptions.tsv")
        .isEmpty();
  }

  @Test
  void onlyWhatDeviatesHasBothATestAndAReason() {
    SuiteIndex.exceptions()
        .forEach(
            (id, verdict) -> {
              assertThat(verdict.reason()).as(id).isNotBlank();
              assertThat(suiteIndex.tested().contains(id))
                  .as(id + " has a test")
                  .isEqualTo(verdict.state() == CaseState.DEVIATING);
            });
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(SuiteIndexPage.of(suiteIndex, PAGE.command()));
  }
}
