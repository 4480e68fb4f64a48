// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Another version of this program, measured by its own command.
 *
 * @param jar its {@code queuepair.jar}
 */
record VersionBefore(Path jar) {
  /**
   * The rows that it has.
   *
   * @throws IOException if it cannot tell
   */
  Set<String> names() throws IOException {
    Process process = start(ProcessBuilder.Redirect.PIPE, "--list");
    Set<String> names =
        process
            .inputReader(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.startsWith(" "))
            .collect(Collectors.toSet());
    if (exitCode(process) != 0 || names.isEmpty()) {
      throw new IOException(jar + " lists no rows: it is no queuepair.jar that can bench");
    }
    return names;
  }

  /**
   * Measures a row that it has.
   *
   * @throws IOException if that does not work, or its row of this name measures something else
   */
  BenchmarkResult run(BenchmarkCase row, BenchmarkSettings settings) throws IOException {
    Path file = Files.createTempFile("queuepair-bench", ".json");
    try {
      List<String> arguments = new ArrayList<>(List.of("--rows", row.name()));
      arguments.addAll(settings.options());
      arguments.addAll(List.of("--json", file.toString()));
      Process process = start(ProcessBuilder.Redirect.DISCARD, arguments.toArray(String[]::new));
      int exitCode = exitCode(process);
      if (exitCode != 0) {
        throw new IOException(jar.getFileName() + " ended with " + exitCode);
      }
      return JsonDocument.read(file, row);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private Process start(ProcessBuilder.Redirect output, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(ChildJvm.executable(), "-jar", jar.toString(), "bench"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectOutput(output)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static int exitCode(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
