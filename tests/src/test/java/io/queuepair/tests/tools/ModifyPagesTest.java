package io.queuepair.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.GeneratedPage;
import io.queuepair.tests.architecture.SourceTree;
import io.queuepair.tools.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Recorded calls are answered as the profile says, and the pages about it are up to date. */
final class ModifyPagesTest {
  private static final Path ROOT = SourceTree.root();
  private static final String RECORDING =
      "tests/src/test/resources/io/queuepair/tests/conformance/modify_qp_linux.tsv";

  private static String run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    assertThat(err).hasToString("");
    return out.toString();
  }

  @Test
  void softRoceAnswersEveryRecordedCallAlike() {
    String answer =
        run("check-transitions", "--profile", "soft-roce", ROOT.resolve(RECORDING).toString());

    assertThat(answer).isEqualToNormalizingNewlines("cases=4660 agree=4660 differ=0\n");
  }

  @Test
  void thePageOfDifferencesIsUpToDateAndExplainsAll() throws IOException {
    String generated =
        run("check-transitions", "--format", "markdown", ROOT.resolve(RECORDING).toString());

    assertThat(generated).doesNotContain("Anything else");
    GeneratedPage.byTool(
            "docs/reference/modify-differences.md",
            "check-transitions --format markdown " + RECORDING)
        .check(generated);
  }

  @Test
  void thePageOfStatesIsUpToDate() throws IOException {
    GeneratedPage.byTool("docs/reference/qp-state-machine.md", "transitions --format markdown")
        .check(run("transitions", "--format", "markdown"));
  }
}
