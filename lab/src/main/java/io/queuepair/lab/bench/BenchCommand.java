// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.OutputFile;
import io.queuepair.tools.cli.ProgressBar;
import io.queuepair.tools.cli.RangeChecks;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the emulator, each figure next to a reference value. */
@Command(
    name = "bench",
    description = {
      "Measures how fast the emulator is on this machine. Beside a figure stands what it is"
          + " compared with, measured in turn with it: TCP, UCX where it is installed, a ping-pong"
          + " of plain sockets, or memory. Their ratio says more than the figure, because machines"
          + " differ and are shared.",
      "",
      "Each row runs in a JVM of its own: a warm-up, then many short rounds, of which the median"
          + " counts. The whole table takes some minutes. A figure that misses its goal is no"
          + " failure: the exit code is 0 if all was measured.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair bench --list                    # what can be measured",
      "  queuepair bench --rows udp-write-1m,mem-connect --rounds 200",
      "  queuepair bench --rows mem-send-64b --before old/queuepair.jar",
      "  export QUEUEPAIR_JAVA_OPTS=-XX:StartFlightRecording=filename=bench.jfr",
      "  queuepair bench --rows mem-send-64b --in-process      # what is hot"
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int MAX_ROUNDS = 1_000;
  private static final double MAX_SECONDS = 3_600;

  @Spec private CommandSpec spec;

  @Option(
      names = "--rows",
      paramLabel = "NAME",
      split = ",",
      description = "Measure these rows only, with commas between them (--list names all).")
  private List<String> names = new ArrayList<>();

  @Option(names = "--list", description = "List the rows and their goals; measure nothing.")
  private boolean lists;

  @Option(
      names = "--before",
      paramLabel = "JAR",
      description =
          "Measure each row three times, in turns with another version, whose runnable JAR this"
              + " is, and print both.")
  private Path before;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.1",
      description = "How long one measurement takes (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long each row runs before it is measured (default: ${DEFAULT-VALUE}).")
  private double warmupSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Measurements of each figure (default: ${DEFAULT-VALUE}), fewer of what takes long.")
  private int rounds;

  @Option(
      names = "--in-process",
      description = "Measure in this JVM, not a new one for each row: for profilers.")
  private boolean isInProcess;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write every measurement to this file too.")
  private Path jsonFile;

  @Option(
      names = "--progress",
      description = "Show progress also if standard error is not a terminal.")
  private boolean wantsProgress;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<BenchmarkCase> rows = rows();
    BenchmarkSettings settings = settings();
    if (lists) {
      rows.forEach(row -> list(row, out));
      return 0;
    }
    out.println(Machine.text());
    out.println();
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr())) {
      ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), wantsProgress);
      BenchRun run = new BenchRun(settings, isInProcess, out, progress, interruption);
      List<BenchmarkResult> results = before == null ? run.rows(rows) : run.compare(rows, before);
      List<BenchmarkCase> left = new ArrayList<>(rows);
      results.forEach(result -> left.remove(result.row()));
      if (interruption.isRequested() && !left.isEmpty()) {
        out.printf(
            "interrupted after %d of %d rows; go on with: queuepair bench --rows %s%n",
            results.size(),
            rows.size(),
            left.stream().map(BenchmarkCase::name).collect(Collectors.joining(",")));
      }
      if (jsonFile != null) {
        OutputFile.write(jsonFile, JsonDocument.text(results));
      }
      return left.isEmpty() || interruption.isRequested() ? 0 : 1;
    }
  }

  /** Measures the row that the options name in this JVM, and writes the JSON document. */
  void measureHere() throws IOException {
    BenchmarkResult result = InProcessBenchmark.run(rows().get(0), settings());
    Files.writeString(jsonFile, JsonDocument.text(List.of(result)));
  }

  /** Halts this JVM, without a document, when standard input ends, as the parent has. */
  void endWithParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
      Files.deleteIfExists(jsonFile);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } finally {
      // Not exit(): its shutdown hooks may wait for the load that is being measured.
      Runtime.getRuntime().halt(1);
    }
  }

  private static void list(BenchmarkCase row, PrintWriter out) {
    out.println(row.name());
    out.println("    " + row.title() + ", " + row.goal());
    if (row.reference() != null) {
      out.println("    beside it: " + row.referenceTitle());
    }
  }

  private List<BenchmarkCase> rows() {
    List<BenchmarkCase> rows = new ArrayList<>();
    for (String name : names) {
      rows.add(
          BenchmarkCases.ALL.stream()
              .filter(row -> row.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(), "there is no row '" + name + "'; --list names all")));
    }
    return rows.isEmpty() ? BenchmarkCases.ALL : rows;
  }

  private BenchmarkSettings settings() {
    RangeChecks rangeChecks = new RangeChecks(spec.commandLine());
    rangeChecks.require(
        !rangeChecks.isGiven("--rows") || !names.isEmpty(),
        "--rows names no row; --list names all");
    rangeChecks.require(
        before == null || (jsonFile == null && !isInProcess),
        "--before goes with --rows, not with --json or --in-process");
    rangeChecks.require(
        before == null || Files.isRegularFile(before), "--before " + before + " is no file");
    rangeChecks.require("rounds", rounds, 1, MAX_ROUNDS);
    rangeChecks.require(
        seconds > 0 && seconds <= MAX_SECONDS, "--seconds " + seconds + " is not above 0 to 3600");
    rangeChecks.require(
        warmupSeconds >= 0 && warmupSeconds <= MAX_SECONDS,
        "--warmup " + warmupSeconds + " is not 0 to 3600");
    return BenchmarkSettings.of(seconds, warmupSeconds, rounds);
  }
}
