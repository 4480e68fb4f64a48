// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FaultsOptionTest {
  @Test
  void theLadderShowsWhatThePlanDid() {
    CommandRun run = CommandRun.of("demo", "--faults", "drop 1st RDMA_WRITE_MIDDLE");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).containsOnlyOnce(", dropped: drop 1st RDMA_WRITE_MIDDLE");
  }

  @Test
  void aPlanCanBeAFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("plan"), "# one loss\ndrop 1st SEND\n");

    assertThat(CommandRun.of("demo", "--faults", "@" + file).out()).contains("dropped: drop 1st");
  }

  @Test
  void aMistakeIsSaidInOneSentence() {
    CommandRun run = CommandRun.of("demo", "--faults", "drop 1st SENT");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("line 1, column 10: found \"SENT\", allowed here: ");
  }

  @Test
  void simulationTakesPlansAboutPacketsAndHosts() {
    CommandRun run = CommandRun.of("simulate", "--seeds", "1..5", "--faults", "drop 10% of ACK");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).containsPattern("faults: [1-9]\\d* times drop 10% ACK");
    assertThat(CommandRun.of("simulate", "--seeds", "1", "--faults", "kill fd00::1 at 1us").out())
        .contains("failures=0");
  }

  @Test
  void faultsThatWereNeverCarriedOutAreSaidAndAFailureInStrictMode() {
    String said = "queuepair demo: faults that were never carried out: drop 99th ACK";
    CommandRun lenient = CommandRun.of("demo", "--faults", "drop 99th ACK; drop 1st ACK");
    CommandRun strict = CommandRun.of("demo", "--faults", "drop 99th ACK", "--faults-strict");
    CommandRun met = CommandRun.of("demo", "--faults", "drop 1st ACK", "--faults-strict");

    assertThat(lenient.exitCode()).isZero();
    assertThat(lenient.err().lines()).containsExactly(said);
    assertThat(strict.exitCode()).isOne();
    assertThat(strict.err().lines()).containsExactly(said);
    assertThat(met.exitCode()).isZero();
    assertThat(met.err()).isEmpty();
  }
}
