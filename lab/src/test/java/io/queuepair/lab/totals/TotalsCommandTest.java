// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.totals;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
final class TotalsCommandTest {
  @TempDir private Path folder;

  private CommandRun run(String arguments) {
    return CommandRun.of(arguments.replace("DIR", folder.toString()).split(" ", -1));
  }

  /** The parts of the second have connections that end in ways in which none of the first does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "simulate --seeds 1..7 --loss 0.05",
        "simulate --cm --seeds 1..7 --qps 2 --loss 0.3",
      })
  void partsAddUpToTheWhole(String whole) {
    for (int part = 1; part <= 7; part++) {
      assertThat(run(whole + " --shard " + part + "/7 --totals DIR/" + part).exitCode()).isZero();
    }

    CommandRun sum = run("totals DIR/7 DIR/1 DIR/3 DIR/2 DIR/6 DIR/5 DIR/4 --totals DIR/sum");
    assertThat(sum).isEqualTo(run(whole));
    assertThat(run("totals DIR/sum")).isEqualTo(sum);
  }

  @Test
  void failuresOfAllPartsAreListed() throws IOException {
    Files.writeString(folder.resolve("plan"), "forge ack 50% of SEND");
    for (int part = 1; part <= 2; part++) {
      run(
          "simulate --seeds 1..4 --faults @DIR/plan --shard %1$d/2 --totals DIR/%1$d"
              .formatted(part));
    }
    CommandRun sum = run("totals DIR/1 DIR/2");

    assertThat(sum.exitCode()).isEqualTo(1);
    assertThat(sum.lines()).anyMatch(line -> line.startsWith("seed 1, "));
    assertThat(sum.lines()).last().asString().startsWith("seeds=4 failures=");
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    run("simulate --seeds 1..9 --shard 1/3 --totals DIR/1");
    run("simulate --seeds 1..9 --shard 3/3 --totals DIR/3");
    Files.writeString(folder.resolve("text"), "no JSON");

    assertThat(run("totals DIR/1 DIR/3").err()).contains("no part has the seeds 4..6");
    assertThat(run("totals DIR/1 DIR/1").err()).contains("seed 1 is in two parts");
    assertThat(run("totals DIR/none").err()).contains("none: there is no such file");
    String other = Files.readString(folder.resolve("1")).replace("simulate --qps", "bench --qps");
    Files.writeString(folder.resolve("other"), other);
    assertThat(run("totals DIR/other").err()).contains(" is no run of simulate");
    CommandRun broken = run("totals DIR/text");
    assertThat(broken.err())
        .contains("cannot read " + folder.resolve("text") + ": line 1 is no JSON")
        .hasLineCount(1);
    assertThat(broken.exitCode()).isEqualTo(2);
    Files.writeString(folder.resolve("deep"), "[".repeat(5_000) + "]".repeat(5_000));
    assertThat(run("totals DIR/deep").err())
        .contains("cannot read " + folder.resolve("deep") + ": it is no JSON")
        .hasLineCount(1);
  }

  @Test
  void partsWithoutSeedsAreRefused() {
    CommandRun run = run("simulate --seeds 1..3 --shard 4/4");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--shard 4/4: 3 seeds are too few for so many parts");
  }
}
