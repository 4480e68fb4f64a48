// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * Measures a row in a new JVM, of this version or another. In a shared JVM the figure would depend
 * on the rows measured before, as they influence the JIT compiler.
 */
final class RowJvm {
  private RowJvm() {}

  /** Command line that runs a main class in another JVM, with the class path of this one. */
  static List<String> command(String mainClass) {
    return List.of(
        java(),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        mainClass);
  }

  private static String java() {
    return System.getProperty("java.home") + "/bin/java";
  }

  /** Measures a row by this version. */
  static BenchmarkResult measure(BenchmarkCase row, BenchmarkSettings settings) throws IOException {
    return measure("its JVM", command(RowJvm.class.getName()), row, settings);
  }

  /** Measures a row by another version. */
  static BenchmarkResult measure(Path jar, BenchmarkCase row, BenchmarkSettings settings)
      throws IOException {
    return measure(jar.getFileName().toString(), command(jar), row, settings);
  }

  private static List<String> command(Path jar) {
    return List.of(java(), "-jar", jar.toString(), "bench");
  }

  private static BenchmarkResult measure(
      String who, List<String> command, BenchmarkCase row, BenchmarkSettings settings)
      throws IOException {
    Path file = Files.createTempFile("queuepair-bench", ".json");
    file.toFile().deleteOnExit();
    try {
      List<String> arguments = new ArrayList<>(command);
      arguments.addAll(List.of("--rows", row.name(), "--json", file.toString()));
      arguments.addAll(settings.options());
      int exitCode = await(start(Redirect.DISCARD, arguments));
      if (exitCode != 0) {
        throw new IOException(who + " ended with " + exitCode);
      }
      return JsonDocument.read(file, row);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Names of the rows that another version has. */
  static Set<String> rowsOf(Path jar) throws IOException {
    List<String> arguments = new ArrayList<>(command(jar));
    arguments.add("--list");
    Process process = start(Redirect.PIPE, arguments);
    Set<String> names =
        process
            .inputReader(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.startsWith(" "))
            .collect(Collectors.toSet());
    if (await(process) != 0 || names.isEmpty()) {
      throw new IOException(jar + " lists no rows: it is no queuepair.jar that can bench");
    }
    return names;
  }

  private static Process start(Redirect output, List<String> command) throws IOException {
    Redirect error = command.contains("-jar") ? Redirect.DISCARD : Redirect.INHERIT;
    return new ProcessBuilder(command).redirectOutput(output).redirectError(error).start();
  }

  private static int await(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Measures a row in this JVM, which halts when its parent process ends. */
  public static void main(String[] args) throws IOException {
    BenchCommand command = new BenchCommand();
    new CommandLine(command).parseArgs(args);
    Thread watchdog = new Thread(command::endWithParent, "parent-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    command.measureHere();
  }
}
