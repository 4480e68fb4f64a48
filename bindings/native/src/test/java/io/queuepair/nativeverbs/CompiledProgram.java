// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A C program of the tests, compiled against the library, and run on an emulated device. */
final class CompiledProgram {
  private static final String COMPILER = "cc";
  private static final long SECONDS = 60;

  /** Programs that the tests have. */
  static final Path SOURCES = Path.of("src/test/resources/io/queuepair/nativeverbs");

  private final Path program;
  private final Map<String, String> variables;

  private CompiledProgram(Path program, Map<String, String> variables) {
    this.program = program;
    this.variables = variables;
  }

  /** Result of a run; a program that a signal ends has 128 and its number as exit code. */
  record Outcome(int exitCode, String output) {}

  /** Skips the test on hosts without a C compiler. */
  static void assumeCompiler() {
    boolean hasCompiler =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, COMPILER)));
    assumeTrue(hasCompiler, "there is no C compiler named cc");
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the library is for Linux");
  }

  /** Warnings of the compiler about the sources of the library. */
  static String warnings(Path library, Path sources, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                COMPILER,
                "-std=gnu11",
                "-O2",
                "-Wall",
                "-Wextra",
                "-DQUEUEPAIR_BUILD=\"" + NativeLibrary.build() + "\"",
                "-I" + library,
                "-I" + AbiLayout.FOLDER,
                "-fsyntax-only"));
    command.addAll(List.of(more));
    try (Stream<Path> files = Files.list(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".c")).forEach(command::add);
    }
    return run(command, Map.of()).output();
  }

  /**
   * Compiles a program of the test resources.
   *
   * @param variables with which it is to run
   */
  static CompiledProgram of(String name, Path directory, Map<String, String> variables)
      throws IOException {
    Path library = ServiceProcess.library();
    Path program = directory.resolve("program");
    Path source = SOURCES.resolve(name);
    Outcome compiled =
        run(
            List.of(
                COMPILER,
                "-std=gnu11",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-I" + library.getParent(),
                source.toString(),
                library.toString(),
                "-pthread",
                "-o",
                program.toString()),
            Map.of());
    if (compiled.exitCode() != 0) {
      throw new AssertionError(compiled.output());
    }
    return new CompiledProgram(program, variables);
  }

  /** Copies the program with other variables. */
  CompiledProgram with(Map<String, String> others) {
    return new CompiledProgram(program, others);
  }

  Outcome run(String argument) throws IOException {
    // A shell says by its exit code which signal has ended the program.
    return run(List.of("sh", "-c", program + " " + argument + "; exit $?"), variables);
  }

  private static Outcome run(List<String> command, Map<String, String> more) throws IOException {
    Path output = Files.createTempFile("program", ".out");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(more);
      Process process = builder.redirectOutput(output.toFile()).start();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("hangs: " + command + ": " + Files.readString(output));
      }
      return new Outcome(process.exitValue(), Files.readString(output));
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    } finally {
      Files.delete(output);
    }
  }
}
