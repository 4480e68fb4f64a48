// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.transitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Recorded calls are answered as the profile says, and the pages about it are up to date. */
@Execution(ExecutionMode.CONCURRENT)
final class ModifyPagesTest {
  private static final Path ROOT = SourceTree.root();
  private static final String RECORDING =
      "tests/src/test/resources/io/queuepair/tests/conformance/modify_qp_linux.tsv";

  private static String run(String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  @Test
  void softRoceAnswersEveryRecordedCallAlike() {
    String answer =
        run("check-transitions", "--profile", "soft-roce", ROOT.resolve(RECORDING).toString());

    assertThat(answer).isEqualToNormalizingNewlines("cases=4661 agree=4661 differ=0\n");
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
