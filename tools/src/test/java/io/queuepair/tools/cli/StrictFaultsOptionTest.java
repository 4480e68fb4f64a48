// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import org.junit.jupiter.api.Test;

/** What commands say of faults that were never carried out. */
final class StrictFaultsOptionTest {
  private static final String SAID =
      "queuepair demo: faults that were never carried out: drop 99th ACK";

  @Test
  void faultsThatWereNeverCarriedOutAreSaid() {
    CommandRun run = CommandRun.of("demo", "--faults", "drop 99th ACK; drop 1st ACK");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err().lines()).containsExactly(SAID);
  }

  @Test
  void inStrictModeTheyAreAFailure() {
    CommandRun run = CommandRun.of("demo", "--faults", "drop 99th ACK", "--faults-strict");

    assertThat(run.exitCode()).isOne();
    assertThat(run.err().lines()).containsExactly(SAID);
  }

  @Test
  void faultsThatWereAllCarriedOutAreNoFailure() {
    CommandRun run = CommandRun.of("demo", "--faults", "drop 1st ACK", "--faults-strict");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
  }
}
