// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures one row in a JVM of its own. What other rows taught the compiler of a JVM would make the
 * figure depend on which rows were measured before.
 */
final class ForkedBenchmark {
  private ForkedBenchmark() {}

  /** Measures a row in a new JVM. */
  static BenchmarkResult run(BenchmarkCase row, BenchmarkSettings settings) throws IOException {
    Path file = Files.createTempFile("queuepair-bench", ".json");
    file.toFile().deleteOnExit();
    try (ChildJvm jvm =
        new ChildJvm(
            row.jvmOptions(),
            ForkedBenchmark.class,
            row.name(),
            Long.toString(settings.nanos()),
            Long.toString(settings.warmupNanos()),
            Integer.toString(settings.rounds()),
            Integer.toString(settings.crowd()),
            file.toString())) {
      jvm.await();
      return JsonDocument.read(file, row);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /**
   * What the new JVM does; it ends when its standard input does.
   *
   * @param args name of the row, the four numbers of the effort, file for the result
   */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[5]);
    ParentWatchdog.hold(file);
    BenchmarkSettings settings =
        new BenchmarkSettings(
            Long.parseLong(args[1]),
            Long.parseLong(args[2]),
            Integer.parseInt(args[3]),
            Integer.parseInt(args[4]));
    BenchmarkResult result = InProcessBenchmark.run(BenchmarkCases.named(args[0]), settings);
    new JsonDocument(HostDescription.here(), settings).measured(List.of(result)).write(file);
  }
}
