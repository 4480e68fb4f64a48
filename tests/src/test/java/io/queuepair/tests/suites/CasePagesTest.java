// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.suites.CaseIndex.CaseEntry;
import io.queuepair.tests.support.GeneratedPage;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every case has a script, a test or a reason, and the pages of cases are up to date. */
final class CasePagesTest {
  private static final GeneratedPage SUITES_PAGE =
      GeneratedPage.byTest("docs/reference/conformance-cases.md", CasePagesTest.class);
  private static final GeneratedPage PYVERBS_PAGE =
      GeneratedPage.byTest("docs/reference/pyverbs-cases.md", CasePagesTest.class);
  private static final CaseIndex SUITES = CaseIndex.ofSuites();
  private static final CaseIndex PYVERBS = CaseIndex.ofPyverbs();

  static Stream<CaseIndex> indexes() {
    return Stream.of(SUITES, PYVERBS);
  }

  private static List<String> ids(CaseIndex index) {
    return index.entries().stream().map(CaseEntry::id).toList();
  }

  @Test
  void scriptsAndTestsAreNamedForCasesThatExist() {
    assertThat(ids(SUITES)).hasSize(387).doesNotHaveDuplicates();
    assertThat(ids(PYVERBS)).hasSize(234).doesNotHaveDuplicates();
    Set<String> all = new TreeSet<>(ids(SUITES));
    all.addAll(ids(PYVERBS));

    assertThat(all).containsAll(CaseIndex.tested());
  }

  @Test
  void everyTestThatIsNamedExists() {
    assertThat(CaseIndex.missingTests())
        .as("no such tests: name others in tests.tsv that assert the same")
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void everyCaseOfWhatIsBuiltHasATestOrAReason(CaseIndex index) {
    assertThat(index.entries().stream().filter(CaseEntry::isOpen).map(CaseEntry::id))
        .as("cases without a test: name one in tests.tsv, or say why in the exceptions")
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void onlyWhatDeviatesHasBothATestAndAReason(CaseIndex index) {
    assertThat(ids(index)).containsAll(index.exceptions().keySet());
    for (CaseEntry entry : index.entries()) {
      if (index.exceptions().containsKey(entry.id())) {
        assertThat(entry.status().reason()).as(entry.id()).isNotBlank();
        assertThat(!entry.tests().isEmpty())
            .as(entry.id() + " has a test")
            .isEqualTo(entry.status().state().equals("deviating"));
      }
      assertThat(CaseIndex.STATES).contains(entry.status().state());
    }
  }

  @Test
  void thePagesAreUpToDate() throws IOException {
    SUITES_PAGE.check(CasePages.ofSuites(SUITES, SUITES_PAGE.command()));
    PYVERBS_PAGE.check(CasePages.ofPyverbs(PYVERBS, PYVERBS_PAGE.command()));
  }
}
