// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InputFileTest {
  @TempDir private Path folder;

  static boolean hasEndlessFile() {
    return Files.exists(Path.of("/dev/zero"));
  }

  @ParameterizedTest
  @EnabledIf("hasEndlessFile")
  @ValueSource(
      strings = {
        "scenario /dev/zero",
        "demo --faults @/dev/zero",
      })
  void anEndlessFileIsRefused(String args) {
    CommandRun run = CommandRun.of(args.split(" "));

    assertThat(run.exitCode()).isPositive();
    assertThat(run.out() + run.err()).contains("/dev/zero").contains("it is longer than 16 MiB");
  }

  @Test
  void linesMayEndInAnyWay() throws IOException {
    Path file = Files.writeString(folder.resolve("it"), "ä\r\nb\n\nc");

    assertThat(InputFile.lines(file)).containsExactly("ä", "b", "", "c");
  }
}
