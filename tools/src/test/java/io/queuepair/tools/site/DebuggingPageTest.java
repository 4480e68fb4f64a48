// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.project.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page about debugging leads from each status to runs that end with it. */
final class DebuggingPageTest {
  private static final String PAGE = "docs/debugging.md";
  private static final Pattern SCENARIO = Pattern.compile("\\((scenarios/[a-z0-9-]+\\.md)");
  private static ScenarioIndex scenarios;

  @BeforeAll
  static void run() {
    scenarios =
        new ScenarioIndex(
            SourceTree.files(SourceTree.root().resolve("docs/scenarios"), ".md").stream()
                .map(file -> "docs/scenarios/" + file.getFileName())
                .filter(SitePaths::isScenario)
                .sorted()
                .toList());
  }

  private static List<String> scenariosIn(String cell) {
    return SCENARIO.matcher(cell).results().map(link -> "docs/" + link.group(1)).toList();
  }

  @Test
  void everyStatusThatCanBeReportedIsThere() {
    List<String> named =
        MarkdownTable.rows(PAGE, "status", "ask first").stream()
            .map(row -> MarkdownTable.plain(row.get(0)))
            .toList();

    Coverage coverage = scenarios.run("docs/scenarios/send.md").coverage();
    assertThat(coverage.possible(CoverageGroup.STATUS))
        .filteredOn(status -> !status.equals("SUCCESS"))
        .hasSize(13)
        .containsExactlyInAnyOrderElementsOf(named);
  }

  @Test
  void everyScenarioOfAStatusShowsIt() {
    List<String> wrong = new ArrayList<>();
    for (List<String> row : MarkdownTable.rows(PAGE, "status", "ask first")) {
      String status = MarkdownTable.plain(row.get(0));
      List<String> showing = scenarios.covering(CoverageGroup.STATUS, status);
      List<String> named = scenariosIn(row.get(2));
      assertThat(named).as(status).isNotEmpty();
      wrong.addAll(
          named.stream()
              .filter(scenario -> !showing.contains(scenario))
              .map(scenario -> status + ": " + scenario)
              .toList());
    }

    assertThat(wrong).isEmpty();
  }

  @Test
  void aHangAndACaptureLeadToScenariosToo() {
    for (String head : List.of("what is seen", "what the capture shows", "errno")) {
      List<List<String>> rows = MarkdownTable.rows(PAGE, head);
      String found = rows.stream().map(row -> row.get(2)).collect(Collectors.joining());

      assertThat(scenariosIn(found)).as(head).hasSizeGreaterThan(5);
      assertThat(scenariosIn(found)).allMatch(name -> scenarios.run(name) != null);
    }
  }
}
