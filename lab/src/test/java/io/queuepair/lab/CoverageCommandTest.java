// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
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

  private record CommandResult(int exitCode, String out) {
    static CommandResult of(List<String> command, String... more) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int exitCode =
          new Main()
              .run(
                  new PrintWriter(out, true),
                  new PrintWriter(err, true),
                  Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new));
      assertThat(err).hasToString("");
      return new CommandResult(exitCode, out.toString());
    }
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void eachPrintsATable(List<String> command) {
    CommandResult run = CommandResult.of(command, "--coverage");

    assertThat(run.exitCode).isZero();
    assertThat(run.out)
        .containsPattern("(?m)^coverage +met +possible +%$")
        .containsPattern("(?m)^completion statuses +[1-9]")
        .contains("asynchronous events missing:");
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void eachFailsBelowTheThresholdAndNamesWhatIsMissing(List<String> command) {
    CommandResult run = CommandResult.of(command, "--coverage-min", "100");

    assertThat(run.exitCode).isEqualTo(1);
    assertThat(run.out)
        .containsPattern("coverage of asynchronous events is .* missing: .*DEVICE_FATAL");
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void nothingIsSaidUnlessAsked(List<String> command) {
    assertThat(CommandResult.of(command).out).doesNotContain("possible");
  }

  @Test
  void whatWasMetIsEnough() {
    assertThat(CommandResult.of(List.of("demo"), "--coverage-min", "0").exitCode).isZero();
  }

  /** One queue pair of each of two devices, created, and led to RTS. */
  @Test
  void aScenarioCountsWhatItDoes() {
    assertThat(CommandResult.of(List.of("scenario", RNR), "--coverage").out)
        .contains("RC RESET 2, RC INIT 2, RC RTR 2, RC RTS 2")
        .contains("RNR_NAK 1");
  }

  @Test
  void whatIsMissingIsGroupedByType() {
    String out = CommandResult.of(List.of("scenario", RNR), "--coverage").out;

    assertThat(out)
        .containsPattern("(?m)^UC: states missing: 7\n    RESET, INIT, RTR, RTS, SQD, SQE, ERR$")
        .containsPattern("(?m)^UD: transitions missing: \\d+$");
  }

  @Test
  void oneTypeCanBeLookedAt() {
    String out = CommandResult.of(List.of("scenario", RNR), "--coverage-type", "RC").out;

    assertThat(out)
        .contains("RC: states missing: 2\n    SQD, ERR")
        .doesNotContain("UC: ", "UC RTS");
  }
}
