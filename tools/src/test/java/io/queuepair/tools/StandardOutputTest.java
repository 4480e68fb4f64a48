// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.CommandTranscript;
import io.queuepair.tests.support.LimitedProcess;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of a command reaches a file or a pipe, or its failure is reported. */
final class StandardOutputTest {
  private final CommandTranscript err = new CommandTranscript();

  private int run(OutputStream out, String... args) {
    return Main.run(out, new PrintWriter(err, true), args);
  }

  static boolean hasFullDevice() {
    return LimitedProcess.isPossible();
  }

  @ParameterizedTest
  @EnabledIf("hasFullDevice")
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "devinfo -v",
        "transitions",
        "demo",
      })
  void whatCannotBeWrittenIsAFailure(String args) throws IOException {
    int exitCode;
    try (OutputStream full = new FileOutputStream("/dev/full")) {
      exitCode = run(full, args.split(" "));
    }

    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("queuepair: standard output cannot be written: ")
        .hasLineCount(1);
  }

  @Test
  @EnabledIf("hasFullDevice")
  void anotherFailureKeepsItsExitCode() throws IOException {
    try (OutputStream full = new FileOutputStream("/dev/full")) {
      assertThat(run(full, "decode", "--foo")).isEqualTo(2);
    }
  }

  @Test
  void aReaderThatHasGoneIsNone() {
    OutputStream pipe =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("Broken pipe");
          }
        };

    assertThat(run(pipe, "transitions")).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void whatIsWrittenIsAllThere() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(run(out, "demo")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(CommandRun.of("demo").out());
  }
}
