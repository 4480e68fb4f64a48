// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a row keeps a processor busy")
final class ForkedBenchmarkTest {
  private static final String SECOND = Long.toString(TimeUnit.SECONDS.toNanos(1));
  private static final String HOUR = Long.toString(TimeUnit.HOURS.toNanos(1));

  @Test
  void itEndsWithItsParentAndLeavesNoFile(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("row.json"));
    Process row = start("mem-write-8b", SECOND, HOUR, "1", "1", file.toString());
    try {
      // As the system does when the parent has ended in any way.
      row.getOutputStream().close();

      assertThat(row.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
      assertThat(file).doesNotExist();
    } finally {
      row.destroyForcibly();
    }
  }

  private static Process start(String... arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-cp",
            System.getProperty("java.class.path"),
            ForkedBenchmark.class.getName());
    builder.command().addAll(List.of(arguments));
    return builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.INHERIT).start();
  }
}
