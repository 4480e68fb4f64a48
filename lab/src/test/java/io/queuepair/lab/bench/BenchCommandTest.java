// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queuepair.tests.support.CommandRun;
import io.queuepair.tools.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a benchmark measures times and the heap of the process")
final class BenchCommandTest {
  @TempDir private Path directory;

  /** As short as it goes: figures that say only that everything works. */
  private static final String QUICK = "--seconds 0.02 --warmup 0 --rounds 1";

  private static CommandRun bench(String arguments) {
    return CommandRun.of(("bench " + arguments).split(" "));
  }

  /** The cells of a line of a table. */
  private static List<String> cells(String line) {
    String[] cells = line.substring(1, line.length() - 1).split("\\|", -1);
    return Stream.of(cells).map(String::strip).toList();
  }

  private static List<String> keys(JsonNode node) {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  @Test
  void theListNamesEachRowItsGoalAndWhatIsBesideIt() {
    CommandRun run = bench("--list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .contains("udp-write-1m", "mem-write-8b", "mem-send-64b")
        .contains("    RC WRITE 8 B, UDP loopback, 64 QPs, >= 1.50 M/s")
        .contains("    beside it: blocks of 1 MiB over a TCP connection of the JDK");
  }

  @Test
  void theTableHasTheMachineAndALineForEachRow() {
    CommandRun run =
        bench(QUICK + " --in-process --rows mem-write-1m,mem-write-8b,bound-1000-devices");

    List<String> lines = run.lines();
    assertThat(lines).hasSize(7);
    assertThat(lines.get(0)).startsWith(Runtime.getRuntime().availableProcessors() + " x ");
    assertThat(lines.get(1)).isEmpty();
    assertThat(cells(lines.get(2)))
        .containsExactly("row", "measured", "beside it", "ratio", "goal", "");
    assertThat(lines.get(3)).isEqualTo("|---|---|---|---|---|---|");
    assertThat(String.join("|", cells(lines.get(4))))
        .matches("mem-write-1m\\|[\\d.]+ GB/s\\|[\\d.]+ GB/s\\|x [\\d.]+\\|>= x 0.50\\|\\w+");
    assertThat(String.join("|", cells(lines.get(5))))
        .matches("mem-write-8b\\|[\\d.]+ M/s\\|[\\d.]+ M/s\\|x [\\d.]+\\|>= 5.00 M/s\\|\\w+");
    assertThat(String.join("|", cells(lines.get(6))))
        .matches("bound-1000-devices\\|[\\d.]+ us\\|[\\d.]+ us\\|x [\\d.]+\\|\\|");
  }

  @Test
  @Tag("processes")
  void theDocumentHasEveryMeasurementOfARowInAJvmOfItsOwn() throws IOException {
    Path file = directory.resolve("bench.json");
    CommandRun run =
        bench("--seconds 0.01 --warmup 0 --rounds 3 --rows mem-write-1m --json " + file);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    JsonNode document = new ObjectMapper().readTree(file.toFile());
    assertThat(keys(document)).containsExactly("machine", "rows");
    JsonNode row = document.get("rows").get(0);
    assertThat(keys(row)).containsExactly("name", "title", "unit", "values", "reference");
    assertThat(keys(row.get("reference"))).containsExactly("title", "values");
    assertThat(row.get("name").asText()).isEqualTo("mem-write-1m");
    assertThat(row.get("values").get(0).asDouble()).isPositive();
    assertThat(row.get("values")).hasSize(3);
    assertThat(row.get("reference").get("values")).hasSize(3);
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toUri().toString())
        .collect(Collectors.joining(" "));
  }

  /** A JAR that starts a class of these tests. */
  private Path version(String name, Class<?> main) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
    Path jar = directory.resolve(name);
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  @Test
  @Tag("processes")
  void twoVersionsAreMeasuredInThreeTurns() throws IOException {
    CommandRun run =
        bench(QUICK + " --rows mem-send-64b --before " + version("before.jar", Main.class));

    assertThat(run.exitCode()).isZero();
    assertThat(cells(run.lines().get(2)))
        .containsExactly("row", "before", "now", "ratio", "of each turn");
    assertThat(String.join("|", cells(run.lines().get(4))))
        .matches(
            "mem-send-64b\\|[\\d.]+ us\\|[\\d.]+ us\\|x [\\d.]+"
                + "\\|x [\\d.]+, x [\\d.]+, x [\\d.]+");
  }

  /** A program that fails to measure any row. */
  static final class OldVersion {
    private OldVersion() {}

    public static void main(String[] arguments) {
      System.exit(3);
    }
  }

  @Test
  @Tag("processes")
  void whatTheOtherVersionDoesNotMeasureIsSaid() throws IOException {
    CommandRun run =
        bench(
            QUICK
                + " --rows mem-send-64b,mem-connect --before "
                + version("old.jar", OldVersion.class));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(cells(run.lines().get(4)))
        .containsExactly("mem-send-64b", "", "", "", "old.jar ended with 3");
    assertThat(cells(run.lines().get(5)))
        .containsExactly("mem-connect", "", "", "", "old.jar ended with 3");
  }

  @Test
  void aVersionThatIsNotThereIsRefused() {
    assertThat(bench("--rows mem-connect --before nowhere.jar").err())
        .startsWith("queuepair bench: --before nowhere.jar is no file");
  }

  @Test
  void progressGoesToStandardError() {
    CommandRun run = bench(QUICK + " --in-process --progress --rows mem-write-8b,mem-send-64b");

    assertThat(run.err()).contains("0 %, 0 of 2 rows, mem-write-8b").contains("50 %, 1 of 2 rows");
    assertThat(run.out()).doesNotContain("50 %");
  }
}
