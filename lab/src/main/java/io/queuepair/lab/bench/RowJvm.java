// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** Measures a row by the version in a JAR, which is null for this version. */
  static BenchmarkResult measure(Path jar, BenchmarkCase row, BenchmarkSettings settings)
      throws IOException {
    List<String> command =
        jar == null
            ? command(RowJvm.class.getName())
            : List.of(java(), "-jar", jar.toString(), "bench");
    Path file = Files.createTempFile("queuepair-bench", ".json");
    file.toFile().deleteOnExit();
    try {
      List<String> arguments = new ArrayList<>(command);
      arguments.addAll(List.of("--rows", row.name(), "--json", file.toString()));
      arguments.addAll(settings.options());
      int exitCode = run(arguments);
      if (exitCode != 0) {
        throw new IOException(
            (jar == null ? "its JVM" : jar.getFileName()) + " ended with " + exitCode);
      }
      return JsonDocument.read(file, row);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Runs a command, and returns its exit code. */
  private static int run(List<String> command) throws IOException {
    Redirect error = command.contains("-jar") ? Redirect.DISCARD : Redirect.INHERIT;
    Process process =
        new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(error).start();
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
