// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.lab.bench.VersionComparison.Measured;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.OutputFile;
import io.queuepair.tools.cli.ProgressBar;
import io.queuepair.tools.cli.RangeChecks;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the emulator, each figure beside what it is to be compared with. */
@Command(
    name = "bench",
    description = {
      "Measures how fast the emulator is on this machine. Beside each figure stands what it is"
          + " compared with, measured in turn with it: raw datagrams, a ping-pong of plain"
          + " sockets, a copy of memory, or the same with less to do. Their ratio says more than"
          + " the figure, because machines differ and are shared.",
      "",
      "Each row runs in a JVM of its own: a warm-up, then many short rounds, of which the median"
          + " counts. The whole table takes some minutes. A figure that misses its goal is no"
          + " failure: the exit code is 0 if all was measured.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair bench --list                    # what can be measured",
      "  queuepair bench --against ucx,libfabric   # all of it, and others",
      "  queuepair bench --rows udp-write-1m,timers --rounds 200",
      "  queuepair bench --json bench.json --plot bench.svg",
      "  queuepair bench --sweep size --plot size.svg",
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
      names = "--sweep",
      paramLabel = "WHAT",
      description =
          "Measure instead how RC WRITE depends on one number: ${COMPLETION-CANDIDATES} (queue"
              + " pairs at work, requests outstanding, bytes of a message).")
  private ScalingChart scalingChart;

  @Option(
      names = "--against",
      paramLabel = "PROGRAM",
      split = ",",
      description =
          "Let programs measure themselves too, where they are installed:"
              + " ${COMPLETION-CANDIDATES}. PERFTEST is ib_write_bw and ib_send_lat on this"
              + " emulator; SOFTROCE is the same on Linux Soft-RoCE in an emulated guest, whose"
              + " figures are not to be compared, and needs root and a checkout.")
  private List<ExternalTool> programs = new ArrayList<>();

  @Option(
      names = "--before",
      paramLabel = "JAR",
      description =
          "Measure each row three times, in turns with another version, whose queuepair.jar this"
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
      names = "--quick",
      description =
          "As short as it goes, and 1,000 queue pairs instead of 100,000: shows that all works,"
              + " not how fast.")
  private boolean isQuick;

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
      names = "--plot",
      paramLabel = "FILE",
      description =
          "Draw a picture too (SVG): how much of each goal is reached, or the curves of a sweep.")
  private Path plotFile;

  @Option(names = "--page", description = "Print tables in Markdown, for a page.")
  private boolean isMarkdown;

  @Option(
      names = "--progress",
      description = "Show progress also if standard error is not a terminal.")
  private boolean wantsProgress;

  /** Creates the command, to be filled by picocli. */
  public BenchCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<BenchmarkCase> rows = rows();
    BenchmarkSettings settings = settings();
    if (lists) {
      rows.forEach(row -> list(row, out));
      return 0;
    }
    if (before != null) {
      refuseUnreadableVersion();
    }
    HostDescription host = HostDescription.here();
    out.println(host.text());
    out.println();
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr())) {
      ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), wantsProgress);
      BenchRun.RunSettings how = new BenchRun.RunSettings(settings, isInProcess, isMarkdown);
      BenchRun run = new BenchRun(how, out, progress, interruption);
      return (before == null ? measure(rows, run, host) : compare(rows, run, host)) ? 0 : 1;
    }
  }

  private void refuseUnreadableVersion() {
    try (InputStream jar = Files.newInputStream(before)) {
      int unused = jar.read();
    } catch (IOException unreadable) {
      throw InputFile.refusal(spec.commandLine(), before, unreadable);
    }
  }

  /** Whether all was measured that can be, unless the user interrupts. */
  private boolean compare(List<BenchmarkCase> rows, BenchRun run, HostDescription host)
      throws IOException {
    Map<BenchmarkCase, Measured> measured = new LinkedHashMap<>();
    boolean isComplete =
        new VersionComparison(run, new VersionBefore(before)).print(rows, measured);
    if (run.interruption().isRequested()) {
      run.out().println("interrupted after " + measured.size() + " rows");
    }
    if (jsonFile != null) {
      JsonDocument document = new JsonDocument(host, run.how().settings());
      OutputFile.writeAll(Map.of(jsonFile, document.compared(measured).text()));
    }
    return isComplete;
  }

  /** Whether all was measured that can be, unless the user interrupts. */
  private boolean measure(List<BenchmarkCase> rows, BenchRun run, HostDescription host)
      throws IOException {
    PrintWriter out = run.out();
    List<BenchmarkResult> results = scalingChart == null ? run.rows(rows) : run.sweep(scalingChart);
    Map<ExternalBenchmark, Double> against = new LinkedHashMap<>();
    boolean isComplete = true;
    if (run.interruption().isRequested()) {
      int left = Math.min(results.size(), rows.size());
      out.println(
          scalingChart == null
              ? interrupted(rows.subList(left, rows.size()), rows.size())
              : "interrupted after " + results.size() + " points");
    } else if (!programs.isEmpty()) {
      out.println();
      isComplete = run.against(programs, queuepair(), against);
    }
    Map<Path, String> documents = new LinkedHashMap<>();
    if (jsonFile != null) {
      documents.put(
          jsonFile,
          new JsonDocument(host, run.how().settings()).measured(results).against(against).text());
    }
    if (plotFile != null) {
      documents.put(
          plotFile,
          scalingChart == null ? BenchRun.bars(results) : BenchRun.curves(scalingChart, results));
    }
    OutputFile.writeAll(documents);
    return isComplete;
  }

  /** How a process starts this program, whose main class is that of the root command. */
  private List<String> queuepair() {
    return List.of(
        ChildJvm.executable(),
        "-cp",
        ChildJvm.ownClassPath(),
        spec.root().userObject().getClass().getName());
  }

  /** What is measured stays, also in files; a sweep can only be repeated. */
  private String interrupted(List<BenchmarkCase> left, int all) {
    String names = left.stream().map(BenchmarkCase::name).collect(Collectors.joining(","));
    return "interrupted after "
        + (all - left.size())
        + " of "
        + all
        + " rows"
        + (left.isEmpty() ? "" : "; go on with: queuepair bench --rows " + names);
  }

  private static void list(BenchmarkCase row, PrintWriter out) {
    out.println(row.name());
    out.println("    " + row.title() + ", " + row.threshold().text(row.unit()));
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
        scalingChart == null || names.isEmpty(), "--sweep and --rows exclude each other");
    rangeChecks.require(
        !rangeChecks.isGiven("--rows") || !names.isEmpty(),
        "--rows names no row; --list names all");
    rangeChecks.require(
        !rangeChecks.isGiven("--against") || !programs.isEmpty(), "--against names no program");
    rangeChecks.require(
        before == null
            || (scalingChart == null && programs.isEmpty() && plotFile == null && !isInProcess),
        "--before goes with --rows, --json and --page, not with --sweep, --against, --plot or"
            + " --in-process");
    rangeChecks.require("rounds", rounds, 1, MAX_ROUNDS);
    rangeChecks.require(
        seconds > 0 && seconds <= MAX_SECONDS, "--seconds " + seconds + " is not above 0 to 3600");
    rangeChecks.require(
        warmupSeconds >= 0 && warmupSeconds <= MAX_SECONDS,
        "--warmup " + warmupSeconds + " is not 0 to 3600");
    return isQuick
        ? BenchmarkSettings.quick()
        : BenchmarkSettings.of(seconds, warmupSeconds, rounds);
  }
}
