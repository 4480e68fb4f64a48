// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a row keeps a processor busy")
final class RowJvmTest {
  @Test
  void itEndsWithItsParentAndLeavesNoFile(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("row.json"));
    List<String> command = new ArrayList<>(RowJvm.command(RowJvm.class.getName()));
    command.addAll(List.of("--rows", "mem-write-8b", "--seconds", "3600", "--json", "" + file));
    Process row =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT)
            .start();
    try {
      // As the system does when the parent has ended in any way.
      row.getOutputStream().close();

      assertThat(row.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
      assertThat(file).doesNotExist();
    } finally {
      row.destroyForcibly();
    }
  }
}
