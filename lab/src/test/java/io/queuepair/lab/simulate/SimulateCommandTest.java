// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LimitedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
final class SimulateCommandTest {
  private static CommandRun simulate(String arguments) {
    return CommandRun.of(("simulate " + arguments).split(" "));
  }

  private static String lastLine(CommandRun run) {
    List<String> lines = run.lines();
    return lines.get(lines.size() - 1);
  }

  @Test
  void saysHowManySendsSucceededAndWhichFaultsWereTaken() {
    CommandRun run = simulate("--seeds 1..3 --loss 0.1");

    assertThat(run.lines().get(0))
        .matches("\\d+ sends: \\d+ succeeded, \\d+ made to fail on purpose; of the others .* %.*");
    assertThat(run.lines().get(1)).matches("faults: [1-9]\\d* times drop 10%");
  }

  @Test
  void theTraceDependsOnSeedsAndOptionsOnly() {
    String once = lastLine(simulate("--seeds 1..2 --delay 0.2"));

    assertThat(lastLine(simulate("--seeds 1..2 --delay 0.2"))).isEqualTo(once);
    assertThat(lastLine(simulate("--seeds 1..2 --delay 0.3"))).isNotEqualTo(once);
    assertThat(lastLine(simulate("--seeds 2..3 --delay 0.2"))).isNotEqualTo(once);
    assertThat(lastLine(simulate("--seeds 1..2 --delay 0.2 --qps 4"))).isNotEqualTo(once);
    assertThat(lastLine(simulate("--seeds 1..2 --delay 0.2 --type rc"))).isNotEqualTo(once);
    assertThat(lastLine(simulate("--seeds 1..2 --delay 0.2 --largest 9000"))).isNotEqualTo(once);
    assertThat(lastLine(simulate("--seeds 1..2 --delay 0.2 --largest 3000"))).isEqualTo(once);
  }

  @Test
  void theFirstFailureIsReducedToAScenarioThatRuns(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("reduced.md");
    CommandRun run =
        CommandRun.of(
            "simulate",
            "--seeds",
            "1..4",
            "--faults",
            "drop 2%; forge ack 50% of SEND",
            "--shrink",
            file.toString(),
            "--progress");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines()).anyMatch(line -> line.startsWith("  reduced to 2 actions, 1 c"));
    assertThat(run.err()).contains(" left after ");
    assertThat(Files.readAllLines(file))
        .anyMatch(line -> line.matches("`queuepair simulate --seeds \\d..\\d --qps 3 --type all.*"))
        .anyMatch(line -> line.startsWith("fault forge ack 1st RC_SEND_ONLY"))
        // It succeeds, but no receive was posted, so the peer cannot have received it.
        .anyMatch(line -> line.contains(", but the peer has not received it`"))
        .noneMatch(line -> line.startsWith("post_recv"));
    CommandRun again = CommandRun.of("scenario", file.toString());
    assertThat(again.lines()).containsExactly("scenarios=1 agree=1 differ=0");
  }

  static boolean hasFullDevice() {
    return LimitedProcess.isPossible();
  }

  @Test
  @EnabledIf("hasFullDevice")
  void aScenarioThatCannotBeWrittenIsPrinted() {
    CommandRun run =
        CommandRun.of(
            "simulate", "--seeds=1..4", "--faults", "forge ack of SEND", "--shrink=/dev/full");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .anyMatch(line -> line.matches("  /dev/full cannot be written: .+; the scenario is this:"))
        .contains("```commands", "```expected");
  }

  @Test
  void whatTheWorkNeedsCannotBePlannedToFail() {
    CommandRun run =
        CommandRun.of("simulate", "--seeds=1", "--faults", "drop 1%; exhaust qps of fd00::1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("the work needs every call to succeed, which rules out: exhaust qps of fd00:");
  }

  @Test
  void theCommandThatReplaysAFailureSaysHowLargeMessagesAre() {
    CommandRun run =
        CommandRun.of("simulate", "--seeds=1", "--largest=9000", "--faults", "forge ack of SEND");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .contains(
            "  replay: queuepair simulate --seeds 1..1 --qps 3 --type all --largest 9000"
                + " --faults 'forge ack SEND'");
  }

  @Test
  void connectionsAreMadeThroughTheConnectionManager() {
    CommandRun run = simulate("--cm --seeds 1..3 --loss 0.2 --progress");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("33 %,").contains("100 %,");
    assertThat(run.lines().get(0)).matches("connections: \\d+ established.*messages arrived");
    assertThat(lastLine(run))
        .matches("seeds=3 failures=0 packets=\\d+ messages=\\d+ trace=[0-9a-f]{16}");
  }
}
