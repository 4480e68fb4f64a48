// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The options {@code --coverage}, {@code --coverage-min} and {@code --coverage-type}. */
final class CoverageCommandTest {
  private static final String RNR =
      SourceTree.root().resolve("docs/scenarios/rnr-nak.md").toString();

  /** Everything that runs devices in memory. */
  static final List<List<String>> COMMANDS =
      List.of(List.of("demo"), List.of("scenario", RNR), List.of("simulate", "--seeds", "1..1"));

  private static CommandRun run(List<String> command, String... more) {
    CommandRun run =
        CommandRun.of(Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    return run;
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void eachPrintsATableIfAskedTo(List<String> command) {
    CommandRun asked = run(command, "--coverage");

    assertThat(asked.exitCode()).isZero();
    assertThat(asked.out())
        .containsPattern("(?m)^coverage +met +possible +%$")
        .containsPattern("(?m)^completion statuses +[1-9]")
        .contains("asynchronous events missing:");
    assertThat(run(command).out()).doesNotContain("possible");
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void eachFailsBelowTheThresholdAndNamesWhatIsMissing(List<String> command) {
    CommandRun run = run(command, "--coverage-min", "100");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .containsPattern("coverage of asynchronous events is .* missing: .*DEVICE_FATAL");
    assertThat(run(command, "--coverage-min", "0").exitCode()).isZero();
  }

  /** One queue pair of each of two devices, created, and led to RTS. */
  @Test
  void aScenarioCountsWhatItDoesAndGroupsWhatIsMissingByType() {
    assertThat(run(List.of("scenario", RNR), "--coverage").out())
        .contains("RC RESET 2, RC INIT 2, RC RTR 2, RC RTS 2")
        .contains("RNR_NAK 1")
        .containsPattern("(?m)^UC: states missing: 7\n    RESET, INIT, RTR, RTS, SQD, SQE, ERR$")
        .containsPattern("(?m)^UD: transitions missing: \\d+$");
    assertThat(run(List.of("scenario", RNR), "--coverage-type", "RC").out())
        .contains("RC: states missing: 2\n    SQD, ERR")
        .doesNotContain("UC: ", "UC RTS");
  }
}
