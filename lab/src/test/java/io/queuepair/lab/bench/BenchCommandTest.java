// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LimitedProcess;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a benchmark measures times and the heap of the process")
final class BenchCommandTest {
  @TempDir private Path directory;

  private static CommandRun bench(String arguments) {
    return CommandRun.of(("bench " + arguments).split(" "));
  }

  private JsonNode document(CommandRun run, Path file) throws IOException {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return new ObjectMapper().readTree(file.toFile());
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
        .contains("udp-write-1m", "mem-write-8b", "idle-qp-heap", "timers", "start")
        .contains("    RC WRITE 8 B, UDP loopback, 64 QPs, >= 1.50 M/s")
        .contains("    beside it: raw datagrams of that MTU, GSO and GRO");
  }

  @Test
  void theTableHasTheMachineAndALineForEachRow() {
    CommandRun run = bench("--quick --in-process --rows mem-write-1m,mem-write-8b");

    List<String> lines = run.lines();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith(Runtime.getRuntime().availableProcessors() + " x ");
    assertThat(lines.get(1)).isEmpty();
    assertThat(lines.get(2)).matches("row +measured +beside it +ratio +goal");
    assertThat(lines.get(3))
        .matches("mem-write-1m +[\\d.]+ GB/s +[\\d.]+ GB/s +x [\\d.]+ +>= x 0.50 +\\w+");
    assertThat(lines.get(4)).matches("mem-write-8b +[\\d.]+ M/s +>= 5.00 M/s +\\w+");
  }

  @Test
  void theDocumentHasEveryMeasurement() throws IOException {
    Path file = directory.resolve("bench.json");
    String arguments = "--seconds 0.01 --warmup 0 --rounds 3 --in-process --json ";
    JsonNode document = document(bench(arguments + file + " --rows mem-write-1m"), file);

    assertThat(keys(document)).containsExactly("machine", "effort", "rows", "against");
    assertThat(keys(document.get("machine")))
        .containsExactly("processor", "processors", "system", "java", "load_average");
    assertThat(keys(document.get("effort")))
        .containsExactly("seconds", "warmup_seconds", "rounds", "crowd");
    JsonNode row = document.get("rows").get(0);
    assertThat(keys(row))
        .containsExactly(
            "name", "title", "unit", "median", "values", "reference", "ratio", "goal", "reached");
    assertThat(keys(row.get("reference"))).containsExactly("title", "median", "values");
    assertThat(row.get("values")).hasSize(3);
    assertThat(row.get("reference").get("values")).hasSize(3);
  }

  @Test
  void aRowInAJvmOfItsOwnIsReadBack() throws IOException {
    Path file = directory.resolve("bench.json");
    JsonNode document = document(bench("--quick --rows mem-send-64b --json " + file), file);

    JsonNode row = document.get("rows").get(0);
    assertThat(row.get("name").asText()).isEqualTo("mem-send-64b");
    assertThat(row.get("values")).hasSize(1);
    assertThat(row.get("median").asDouble()).isPositive();
  }

  @Test
  void aSweepHasALineForEachPointAndTwoCurves() throws IOException {
    Path plot = directory.resolve("sweep.svg");
    CommandRun run = bench("--sweep outstanding --quick --in-process --page --plot " + plot);

    assertThat(run.lines())
        .contains("requests outstanding, RC WRITE 8 B, 1 QP", "|  | UDP loopback | in memory |");
    assertThat(run.lines().subList(5, run.lines().size()))
        .hasSize(5)
        .allSatisfy(
            line -> assertThat(line).matches("\\| \\d+ \\| [\\d.]+ M/s \\| [\\d.]+ M/s \\|"));
    assertThat(Files.readString(plot)).containsPattern("(?s)<svg .*<polyline .*<polyline .*</svg>");
  }

  @Test
  void thePlotHasABarForEachRow() throws IOException {
    Path plot = directory.resolve("rows.svg");
    CommandRun run = bench("--rows mem-write-8b,mem-send-64b --quick --in-process --plot " + plot);

    assertThat(run.exitCode()).isZero();
    assertThat(Files.readString(plot))
        .contains(">mem-write-8b</text>", ">mem-send-64b</text>", ">goal, 100 %</text>");
  }

  static boolean hasFullDevice() {
    return LimitedProcess.isPossible();
  }

  @Test
  @EnabledIf("hasFullDevice")
  void aFileThatFailsKeepsNoOtherFromBeingWritten() throws IOException {
    Path plot = directory.resolve("rows.svg");
    CommandRun run =
        bench("--rows mem-write-8b --quick --in-process --json /dev/full --plot " + plot);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("queuepair bench: /dev/full cannot be written: ")
        .hasLineCount(1);
    assertThat(Files.readString(plot)).contains(">mem-write-8b</text>");
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toUri().toString())
        .collect(Collectors.joining(" "));
  }

  /** A JAR that starts what is tested here. */
  private Path versionBefore() throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    main.put(Attributes.Name.CLASS_PATH, classPath());
    Path jar = directory.resolve("before.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  @Test
  void twoVersionsAreMeasuredInThreeTurns() throws IOException {
    Path file = directory.resolve("compared.json");
    CommandRun run =
        bench("--quick --rows mem-send-64b --before " + versionBefore() + " --json " + file);

    assertThat(run.lines().get(2)).matches("row +before +now +ratio +of each turn");
    assertThat(run.lines().get(3))
        .matches(
            "mem-send-64b +[\\d.]+ us +[\\d.]+ us +x [\\d.]+ +x [\\d.]+, x [\\d.]+, x [\\d.]+");
    JsonNode document = document(run, file);
    assertThat(keys(document)).containsExactly("machine", "effort", "compared");
    JsonNode row = document.get("compared").get(0);
    assertThat(keys(row)).containsExactly("name", "title", "unit", "before", "now");
    assertThat(row.get("before")).hasSize(3);
    assertThat(row.get("now")).hasSize(3);
  }

  /** A JAR whose program has one row, and fails to measure it. */
  private Path versionWithOneRow() throws IOException {
    Path jar = directory.resolve("old.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, OldVersion.class.getName());
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  /** What that JAR runs. */
  static final class OldVersion {
    private OldVersion() {}

    public static void main(String[] arguments) {
      System.out.println("timers");
      System.exit(arguments[1].equals("--list") ? 0 : 3);
    }
  }

  @Test
  void whatTheOtherVersionDoesNotHaveOrMeasureIsSaid() throws IOException {
    CommandRun run = bench("--quick --rows mem-send-64b,timers --before " + versionWithOneRow());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines().get(3)).matches("mem-send-64b +not a row of old.jar");
    assertThat(run.lines().get(4)).matches("timers +old.jar ended with 3");
  }

  @Test
  void aVersionThatIsNotThereOrIsNoneIsRefused() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.jar"));

    assertThat(bench("--rows start --before nowhere.jar").err())
        .startsWith("queuepair bench: cannot read nowhere.jar: there is no such file");
    assertThat(bench("--rows start --before " + empty).err())
        .isEqualToIgnoringNewLines(
            "queuepair bench: " + empty + " lists no rows: it is no queuepair.jar that can bench");
    assertThat(bench("--sweep qps --before " + empty).err())
        .startsWith("queuepair bench: --before goes with --rows, --json and --page, not with");
  }

  @Test
  void progressGoesToStandardError() {
    CommandRun run = bench("--quick --in-process --progress --rows mem-write-8b,mem-send-64b");

    assertThat(run.err()).contains("0 %, 0 of 2 rows, mem-write-8b").contains("50 %, 1 of 2 rows");
    assertThat(run.out()).doesNotContain("50 %");
  }
}
