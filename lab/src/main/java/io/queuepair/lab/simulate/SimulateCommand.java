// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.shard.ShardOption;
import io.queuepair.lab.simulation.SimulationOptions;
import io.queuepair.lab.simulation.SimulationOutcome;
import io.queuepair.lab.simulation.TestCase;
import io.queuepair.lab.totals.SimulationSummary;
import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.CoverageOption;
import io.queuepair.tools.cli.FaultsOption;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import io.queuepair.verbs.QpType;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs random work on an unreliable network and checks invariants. */
@Command(
    name = "simulate",
    description = {
      "Runs random work between two emulated devices over a network in memory that loses,"
          + " doubles, reorders, corrupts and delays packets, and checks after every step what must"
          + " be true whatever happens. Exits with 1 if it is not; the command that replays a"
          + " failure is printed with it.",
      "",
      "The last line has a hash of every packet and completion: the same for the same seeds and"
          + " options, on every machine.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair simulate --seeds 1..100",
      "  queuepair simulate --seeds 1..1000 --loss 0.05 --duplicate 0.05",
      "  queuepair simulate --seeds 17 --type rc --qps 8 --corrupt 0.3",
      "  queuepair simulate --seeds 1..100 --type rc --largest 2000000 --loss 0.01",
      "  queuepair simulate --cm --seeds 1..1000 --loss 0.2 --reorder 0.2",
      "  queuepair simulate --seeds 1..9 --faults 'forge ack 5%% of SEND' --shrink lost.md",
      "  queuepair simulate --seeds 1..100 --faults 'drop 20%% of ACK; pause fd00::1 for 1ms'",
      "  queuepair simulate --seeds 1..1000000 --shard 1/4 --totals part-1.json"
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int MAX_QPS = 64;
  private static final String USUAL_BYTES = "3000";
  private static final int LEAST_LARGEST = Integer.parseInt(USUAL_BYTES);
  private static final int MAX_LARGEST = 4 << 20;

  @Spec private CommandSpec spec;

  @Mixin private NetworkOptions network;

  @Mixin private CaptureOption capture;

  @Mixin private FaultsOption faults;

  @Mixin private CoverageOption coverage;

  @Mixin private final ShrinkOption shrink = new ShrinkOption();

  @Mixin private ShardOption shard;

  @Option(
      names = "--seeds",
      paramLabel = "A..B",
      required = true,
      converter = SeedRange.SeedRangeConverter.class,
      description = "Which seeds to run: a range, or one.")
  private SeedRange seeds;

  @Option(
      names = "--qps",
      paramLabel = "N",
      defaultValue = "3",
      description = "Queue pairs of each device, 1 to 64 (default: ${DEFAULT-VALUE}).")
  private int qps;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      defaultValue = "all",
      description =
          "${COMPLETION-CANDIDATES}: their type; all is one after the other"
              + " (default: ${DEFAULT-VALUE}).")
  private ConnectionType type;

  @Option(
      names = "--largest",
      paramLabel = "BYTES",
      defaultValue = USUAL_BYTES,
      description =
          "Longest message of RC and UC, 3000 to 4194304 (default: ${DEFAULT-VALUE}). If it is more"
              + " than 3000, one message in eight is of 3000 or more. A queue pair has 1 MiB under"
              + " way at most.")
  private int largest;

  @Option(
      names = "--cm",
      description =
          "Make, use and end connections through the connection manager (librdmacm) in place of"
              + " that work; --qps says how many. Type rc connects, ud looks up, all is both.")
  private boolean wantsConnections;

  @Option(
      names = "--progress",
      description = "Show progress also if standard error is not a terminal.")
  private boolean wantsProgress;

  /** Coverage of the devices so far. */
  private Coverage met = new Coverage();

  private record SeedRun<T>(T testCase, SimulationOutcome outcome, Coverage met) {}

  @Override
  public Integer call() {
    SimulationOptions options = options();
    return wantsConnections
        ? run(SimulationKind.ofConnections(options))
        : run(SimulationKind.ofWork(options));
  }

  private <T extends TestCase<T>> int run(SimulationKind<T> kind) {
    SeedRange mine = seeds.part(shard.of(seeds.count(), "seeds"));
    PrintWriter out = spec.commandLine().getOut();
    ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), wantsProgress);
    RunTotals totals = RunTotals.none("simulate" + text(), mine.first());
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr());
        OrderedRuns<SeedRun<T>> runs =
            new OrderedRuns<>(mine.first(), mine.last(), seed -> run(seed, kind))) {
      ShrinkConsole console = new ShrinkConsole(out, progress, interruption);
      long seed = mine.first();
      while (seed <= mine.last() && !interruption.isRequested()) {
        SeedRun<T> run = runs.next();
        show(run, kind, console);
        totals = totals.plus(run.outcome.totals(totals.command()));
        long done = seed - mine.first() + 1;
        progress.show(done, mine.count(), "seeds", new SimulationSummary(totals).progress());
        seed++;
      }
      progress.clear();
      SimulationSummary summary = new SimulationSummary(totals);
      summary.sentences().forEach(out::println);
      int covered = coverage.report(met, out);
      if (seed <= mine.last()) {
        out.println(
            "interrupted after seed " + (seed - 1) + "; go on with: " + replay(seed, mine.last()));
      }
      if (seed > mine.first()) {
        shard.write(totals);
      }
      out.println(summary.line());
      return summary.failures() == 0 ? covered : FAILED;
    }
  }

  /** Runs a seed; called on any thread. */
  private <T extends TestCase<T>> SeedRun<T> run(long seed, SimulationKind<T> kind) {
    T testCase = kind.testCase().apply(seed);
    List<Coverage> seen = new ArrayList<>();
    Consumer<Emulator> end =
        emulator -> {
          if (coverage.isWanted()) {
            seen.add(emulator.coverage());
          }
        };
    SimulationOutcome outcome = testCase.run(capture::around, end);
    return new SeedRun<>(testCase, outcome, seen.stream().reduce(new Coverage(), Coverage::plus));
  }

  private <T extends TestCase<T>> void show(
      SeedRun<T> run, SimulationKind<T> kind, ShrinkConsole console) {
    if (coverage.isWanted()) {
      met = met.plus(run.met);
    }
    if (run.outcome.failure() != null) {
      long seed = run.outcome.seed();
      console.failed(run.outcome.failureText(), replay(seed, seed));
      shrink.accept(run.testCase, kind, replay(seed, seed), console);
    }
  }

  private SimulationOptions options() {
    if (capture.isWanted() && seeds.count() != 1) {
      throw new ParameterException(spec.commandLine(), "--pcap is for one seed");
    }
    if (qps < 1 || qps > MAX_QPS) {
      throw new ParameterException(
          spec.commandLine(), qps + " queue pairs are not 1 to " + MAX_QPS);
    }
    if (largest < LEAST_LARGEST || largest > MAX_LARGEST) {
      throw new ParameterException(
          spec.commandLine(),
          "messages of " + largest + " bytes are not of " + LEAST_LARGEST + " to " + MAX_LARGEST);
    }
    if (!faults.plan().ofCalls().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "the work needs every call to succeed, which rules out: " + faults.plan().ofCalls());
    }
    if (wantsConnections && largest != LEAST_LARGEST) {
      throw new ParameterException(
          spec.commandLine(), "--largest is for the work that --cm leaves out");
    }
    if (wantsConnections && type == ConnectionType.UC) {
      throw new ParameterException(
          spec.commandLine(),
          "--cm connects queue pairs of type rc, and looks up those of type ud");
    }
    try {
      FaultPlan both = network.faults().plus(faults.plan());
      return new SimulationOptions(both, qps, type.types(), largest);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private String replay(long first, long last) {
    return "queuepair simulate --seeds " + first + ".." + last + text();
  }

  /** Text of all options except the seeds. */
  private String text() {
    return (wantsConnections ? " --cm" : "")
        + " --qps "
        + qps
        + " --type "
        + type
        + (largest == LEAST_LARGEST ? "" : " --largest " + largest)
        + network.text()
        + faults.text();
  }

  /** Types of queue pairs of a simulation, by name on the command line. */
  enum ConnectionType {
    RC(QpType.RC),
    UC(QpType.UC),
    UD(QpType.UD),
    ALL(QpType.RC, QpType.UC, QpType.UD);

    private final List<QpType> types;

    ConnectionType(QpType... types) {
      this.types = List.of(types);
    }

    /** Types of the connections, used in turn. */
    List<QpType> types() {
      return types;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
