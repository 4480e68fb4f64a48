package io.queuepair.tools.bench;

import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.Limits;
import io.queuepair.tools.cli.OutputFile;
import io.queuepair.tools.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
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
      "  queuepair bench --list                    # what there is to measure",
      "  queuepair bench --against ucx,libfabric   # all of it, and others",
      "  queuepair bench --rows udp-write-1m,timers --rounds 200",
      "  queuepair bench --json bench.json --plot bench.svg",
      "  queuepair bench --sweep size --plot size.svg",
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
  private Sweep sweep;

  @Option(
      names = "--against",
      paramLabel = "LIBRARY",
      split = ",",
      description =
          "Let other libraries measure themselves too, where their programs are installed:"
              + " ${COMPLETION-CANDIDATES}.")
  private List<Library> libraries = new ArrayList<>();

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
    List<Row> rows = rows();
    Effort effort = effort();
    if (lists) {
      rows.forEach(row -> list(row, out));
      return 0;
    }
    Machine machine = Machine.here();
    out.println(machine.text());
    out.println();
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr())) {
      measure(rows, effort, machine, interruption);
    }
    return 0;
  }

  private void measure(List<Row> rows, Effort effort, Machine machine, Interruption interruption)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), wantsProgress);
    BenchRun.Manner how = new BenchRun.Manner(effort, isInProcess, isMarkdown);
    BenchRun run = new BenchRun(how, out, progress, interruption);
    List<RowResult> results = sweep == null ? run.rows(rows) : run.sweep(sweep);
    Map<Rival, Double> against = Map.of();
    if (interruption.isRequested()) {
      out.println(interrupted(rows, results.size()));
    } else if (!libraries.isEmpty()) {
      out.println();
      against = run.against(libraries);
    }
    Map<Path, String> documents = new LinkedHashMap<>();
    if (jsonFile != null) {
      documents.put(jsonFile, new JsonDocument(machine, effort, results).against(against).text());
    }
    if (plotFile != null) {
      documents.put(
          plotFile, sweep == null ? BenchRun.bars(results) : BenchRun.curves(sweep, results));
    }
    OutputFile.writeAll(documents);
  }

  /** What is measured stays, also in files; a sweep can only be made anew. */
  private String interrupted(List<Row> rows, int measured) {
    String left = rows.stream().skip(measured).map(Row::name).collect(Collectors.joining(","));
    return "interrupted after "
        + measured
        + (sweep == null ? " of " + rows.size() + " rows" : " points")
        + (sweep == null && !left.isEmpty() ? "; go on with: queuepair bench --rows " + left : "");
  }

  private static void list(Row row, PrintWriter out) {
    out.println(row.name());
    out.println("    " + row.title() + ", " + row.goal().text(row.unit()));
    if (row.reference() != null) {
      out.println("    beside it: " + row.referenceTitle());
    }
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (String name : names) {
      rows.add(
          Rows.ALL.stream()
              .filter(row -> row.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(), "there is no row '" + name + "'; --list names all")));
    }
    return rows.isEmpty() ? Rows.ALL : rows;
  }

  private Effort effort() {
    Limits limits = new Limits(spec.commandLine());
    limits.require(sweep == null || names.isEmpty(), "--sweep and --rows exclude each other");
    limits.require(
        !limits.isGiven("--rows") || !names.isEmpty(), "--rows names no row; --list names all");
    limits.require(
        !limits.isGiven("--against") || !libraries.isEmpty(), "--against names no library");
    limits.require("rounds", rounds, 1, MAX_ROUNDS);
    limits.require(
        seconds > 0 && seconds <= MAX_SECONDS, "--seconds " + seconds + " is not above 0 to 3600");
    limits.require(
        warmupSeconds >= 0 && warmupSeconds <= MAX_SECONDS,
        "--warmup " + warmupSeconds + " is not 0 to 3600");
    return isQuick ? Effort.quick() : Effort.of(seconds, warmupSeconds, rounds);
  }
}
