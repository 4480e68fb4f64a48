// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.scenario.ScenarioPlayer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The written pages of verbs: their parts, and the errnos that they name. */
final class VerbPagesTest {
  private static final Path FOLDER =
      SourceTree.root().resolve("tools/src/main/resources/io/queuepair/tools/site/verbs");

  /** A row of a table of errnos: the errno, and calls of which the last one gets it. */
  private static final Pattern ERRNO = Pattern.compile("\\| (E[A-Z]+) \\| [^|]* \\| (`.*`) \\|");

  private static final String STAGE =
      """
      # T

      The objects that the calls of all pages are made on.

      ```commands
      device a
      device b
      create_qp a.qp
      create_qp b.qp
      connect a.qp b.qp
      create_qp a.new
      create_qp a.ud type=UD
      rdma_create_id a.id
      """;

  private static Stream<String> pages() {
    return SourceTree.files(FOLDER, ".md").stream()
        .map(file -> String.join("\n", SourceTree.lines(file)))
        .flatMap(file -> Pattern.compile("(?m)^#(?=# )").splitAsStream(file).skip(1));
  }

  private static String nameOf(String page) {
    return page.substring(2, page.indexOf('\n'));
  }

  private static Stream<List<String>> errnos(String verb, String page) {
    return ERRNO.matcher(page).results().map(row -> List.of(verb, row.group(1), row.group(2)));
  }

  private static Stream<List<String>> errnos() {
    return Stream.concat(
        errnos("ibv_modify_qp", ProjectFiles.page("docs/reference/attributes.md")),
        pages().flatMap(page -> errnos(nameOf(page), page)));
  }

  @ParameterizedTest
  @MethodSource("errnos")
  void aCallThatAPageNamesGetsTheErrno(List<String> row) {
    List<String> lines = new ArrayList<>(STAGE.lines().toList());
    List<String> calls = Stream.of(row.get(2).split("`(?:, `)?", -1)).skip(1).toList();
    lines.addAll(calls.subList(0, calls.size() - 1));
    lines.add("expect refused " + row.get(1));
    lines.add("```");

    ScenarioPlayer run = ScenarioPlayer.tried(lines, 1_000);

    assertThat(run.end()).as("%s", row).isEmpty();
    String last = lines.get(lines.size() - 3);
    assertThat(row.get(0).replace("ibv_", "")).isEqualTo(last.replaceFirst(" .*", ""));
  }

  @Test
  void everyPageHasAPrototypeParametersAndMistakesAndIsOfAFunctionThatThereIs() {
    Set<String> known =
        MarkdownTable.rows("docs/reference/verbs-coverage.md", "function", "purpose").stream()
            .filter(row -> row.get(2).equals("done"))
            .map(row -> MarkdownTable.plain(row.get(0)))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(pages()).hasSizeGreaterThanOrEqualTo(60);
    assertThat(pages().map(VerbPagesTest::nameOf)).isSubsetOf(known).doesNotHaveDuplicates();
    assertThat(pages())
        .allSatisfy(
            page ->
                assertThat(page)
                    .containsPattern("```c\n[^`]*\\b" + nameOf(page) + "\\(")
                    .contains("**Returns:**", "**Completes:**", "**Mistakes**", "```java\n"));
    assertThat(errnos()).hasSizeGreaterThan(25);
  }

  @Test
  void thePageHasItsManPageAndTheTableOfTheFamilyTheOthers() {
    assertThat(MadeSite.FILES.get("verbs/ibv_reg_mr.html"))
        .contains("href=\"https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html\"");
    assertThat(MadeSite.FILES.get("verbs/index.html"))
        .contains("<h2 id=\"extended-posting\">", "<code>ibv_wr_set_ud_addr</code>")
        .contains("href=\"../verbs/ibv_wr_start.html\"")
        .doesNotContain("href=\"../verbs/ibv_wr_set_ud_addr.html\"");
    assertThat(MadeSite.FILES.get("demo.html"))
        .contains("NAK remote access error", "the key names no registered memory: REMOTE_WRITE");
  }
}
