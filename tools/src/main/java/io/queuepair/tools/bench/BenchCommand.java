package io.queuepair.tools.bench;

import io.queuepair.tools.cli.Limits;
import io.queuepair.tools.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
      "Each row runs in a JVM of its own: a warm-up, then several rounds, of which the median"
          + " counts. The whole table takes some minutes. A figure that misses its goal is no"
          + " failure: the exit code is 0 if all was measured.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair bench --list                    # what there is to measure",
      "  queuepair bench                           # all of it",
      "  queuepair bench --rows udp-write-1m,start --seconds 3 --rounds 9",
      "  queuepair bench --json bench.json",
      "  QUEUEPAIR_JAVA_OPTS=-XX:StartFlightRecording=filename=bench.jfr \\",
      "    queuepair bench --rows mem-send-64b --in-process    # what is hot"
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
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "1",
      description = "How long one measurement takes (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      defaultValue = "3",
      description = "How long each row runs before it is measured (default: ${DEFAULT-VALUE}).")
  private double warmupSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measurements of each figure (default: ${DEFAULT-VALUE}).")
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
    List<RowResult> results = measure(rows, effort, out);
    if (jsonFile != null) {
      new JsonDocument(machine, effort, results).write(jsonFile);
    }
    return 0;
  }

  private List<RowResult> measure(List<Row> rows, Effort effort, PrintWriter out)
      throws IOException {
    ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), wantsProgress);
    TextTable table = new TextTable(out);
    table.begin();
    List<RowResult> results = new ArrayList<>();
    for (Row row : rows) {
      progress.show((double) results.size() / rows.size(), row.name());
      RowResult result = isInProcess ? Measuring.run(row, effort) : RowProcess.run(row, effort);
      results.add(result);
      progress.clear();
      table.add(result);
    }
    return results;
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
      try {
        rows.add(Rows.named(name));
      } catch (IllegalArgumentException unknown) {
        throw new ParameterException(
            spec.commandLine(), unknown.getMessage() + "; --list names all", unknown);
      }
    }
    return rows.isEmpty() ? Rows.ALL : rows;
  }

  private Effort effort() {
    Limits limits = new Limits(spec.commandLine());
    limits.require("rounds", rounds, 1, MAX_ROUNDS);
    limits.require(
        seconds > 0 && seconds <= MAX_SECONDS, "--seconds " + seconds + " is not above 0 to 3600");
    limits.require(
        warmupSeconds >= 0 && warmupSeconds <= MAX_SECONDS,
        "--warmup " + warmupSeconds + " is not 0 to 3600");
    return isQuick ? Effort.quick() : Effort.of(seconds, warmupSeconds, rounds);
  }
}
