// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs recorded on Linux Soft-RoCE end the same here, but for the differences listed. */
@Execution(ExecutionMode.CONCURRENT)
final class ReplayTest {
  private static final Path ROOT = SourceTree.root();
  private static final String RECORDINGS = "lab/src/test/resources/io/queuepair/lab/replay/";
  private static final String FIRST = ROOT.resolve(RECORDINGS + "scenarios.jsonl.gz").toString();
  private static final String SECOND = ROOT.resolve(RECORDINGS + "scenarios_2.jsonl.gz").toString();
  private static final String PROGRAMS =
      ROOT.resolve(RECORDINGS + "cm_programs.jsonl.gz").toString();
  private static final String MORE_PROGRAMS =
      ROOT.resolve(RECORDINGS + "cm_programs_2.jsonl.gz").toString();
  private static final String THIRD = ROOT.resolve(RECORDINGS + "scenarios_3.jsonl.gz").toString();

  private static String run(int expectedExitCode, String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).as(run.out()).isEqualTo(expectedExitCode);
    return run.out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "soft-roce"})
  void everyScenarioAgreesOrDiffersForAListedReason(String profile) {
    String answer = run(0, "replay", "--profile", profile, FIRST, SECOND, THIRD);

    assertThat(answer)
        .doesNotContain(": recorded ", "rule without a hit")
        .endsWith(String.format("scenarios=647 agree=647 differ=0 skipped=0%n"));
  }

  /** In 21 of them the recorded process ended in a call that Linux, or librdmacm, did not stand. */
  @ParameterizedTest
  @ValueSource(strings = {"default", "soft-roce"})
  void everyProgramOfRdmaCmAgrees(String profile) {
    String answer = run(0, "replay", "--strict", "--profile", profile, PROGRAMS, MORE_PROGRAMS);

    assertThat(answer)
        .doesNotContain(": recorded ")
        .endsWith(String.format("scenarios=150 agree=150 differ=0 skipped=0%n"));
    assertThat(answer.lines().filter(line -> line.startsWith("the recorded program ended in ")))
        .hasSize(21);
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "soft-roce"})
  void aChangedRecordingIsNoticed(String profile) {
    String answer =
        run(
            0,
            "replay",
            "--mutations",
            "300",
            "--seed",
            "20",
            "--profile",
            profile,
            FIRST,
            SECOND,
            THIRD);

    assertThat(answer).containsPattern("mutations=(29\\d|300) reported=\\d+ not-compared=\\d+");
  }

  @Test
  void withoutTheListOfDifferencesTheDevicesAreFarFromLinux() {
    String answer = run(1, "replay", "--strict", FIRST);

    assertThat(answer)
        .contains("post_in_RESET_RC step 1 A.create_cq cqe: recorded 127, ours 64")
        .doesNotContain("differ=0");
  }

  @Test
  void thePageOfAcceptedDifferencesIsUpToDate() throws IOException {
    GeneratedPage.byTool("docs/reference/replay.md", "replay --page")
        .check(run(0, "replay", "--page"));
  }
}
