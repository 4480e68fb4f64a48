package io.queuepair.tools.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures one row in a JVM of its own. What other rows taught the compiler of a JVM would make the
 * figure depend on which rows were measured before.
 */
final class RowProcess {
  private RowProcess() {}

  /** Measures a row in a new JVM. */
  static RowResult run(Row row, Effort effort) throws IOException {
    Path file = Files.createTempFile("queuepair-bench", ".json");
    file.toFile().deleteOnExit();
    try (ChildJvm jvm =
        new ChildJvm(
            row.jvmOptions(),
            RowProcess.class,
            row.name(),
            Long.toString(effort.nanos()),
            Long.toString(effort.warmupNanos()),
            Integer.toString(effort.rounds()),
            Integer.toString(effort.crowd()),
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
    Lifeline.hold(file);
    Effort effort =
        new Effort(
            Long.parseLong(args[1]),
            Long.parseLong(args[2]),
            Integer.parseInt(args[3]),
            Integer.parseInt(args[4]));
    RowResult result = Measuring.run(Rows.named(args[0]), effort);
    new JsonDocument(Machine.here(), effort, List.of(result)).write(file);
  }
}
