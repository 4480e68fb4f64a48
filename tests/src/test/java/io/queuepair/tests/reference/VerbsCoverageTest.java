// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.reference.VerbsCoverage.Function;
import io.queuepair.tests.reference.VerbsCoverage.VerbsLibrary;
import io.queuepair.tests.support.GeneratedPage;
import java.io.IOException;
import java.util.ArrayList;
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

  /** The page that lists every function of libibverbs and librdmacm. */
  private static final class VerbsCoveragePage {
    private static final String HEAD =
        """
        # Verbs coverage

        Generated from the annotations of the API by `COMMAND`; do not edit.

        Every function that libibverbs and librdmacm export or define in their headers \
        (rdma-core 691953d8d502), and the method of
        `io.queuepair.verbs` or `io.queuepair.rdmacm` that stands for it.
        """;

    private static final String TAIL =
        """

        Besides functions, these features of structures and flags are missing: cross-channel verbs \
        (`CORE_DIRECT`, `SYNC`, `WAIT`) and
        signature keys. Sockets over RDMA (`rsocket`), which librdmacm has besides, are not offered.
        """;

    private VerbsCoveragePage() {}

    static String of(VerbsCoverage libibverbs, VerbsCoverage librdmacm, String command) {
      List<String> lines = new ArrayList<>();
      lines.add(HEAD.replace("COMMAND", command).stripTrailing());
      addLibrary(lines, "libibverbs", libibverbs);
      addLibrary(lines, "librdmacm", librdmacm);
      return String.join("\n", lines) + "\n" + TAIL;
    }

    private static void addLibrary(List<String> lines, String name, VerbsCoverage coverage) {
      lines.addAll(List.of("", "## " + name, ""));
      lines.add("| state | functions |");
      lines.add("|---|---|");
      for (String state : List.of("done", "not applicable", "missing", "not yet")) {
        long count =
            coverage.functions().stream().filter(each -> each.state().equals(state)).count();
        if (count > 0) {
          lines.add("| " + state + " | " + count + " |");
        }
      }
      lines.add("");
      lines.add("| function | purpose | state | where, or why not |");
      lines.add("|---|---|---|---|");
      coverage.functions().forEach(each -> lines.add(line(each)));
    }

    private static String line(Function function) {
      String remark = function.absence() == null ? "" : function.absence().reason();
      return String.join(
          " | ",
          "| `" + function.name() + "`",
          function.purpose(),
          function.state(),
          (function.isDone() ? "`" + String.join("`, `", function.methods()) + "`" : remark)
              + " |");
    }
  }
}
