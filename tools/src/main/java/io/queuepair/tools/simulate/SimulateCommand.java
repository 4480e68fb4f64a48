package io.queuepair.tools.simulate;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.CoverageOption;
import io.queuepair.tools.cli.FaultsOption;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import io.queuepair.tools.shrink.Specimen;
import io.queuepair.tools.workload.Outcome;
import io.queuepair.tools.workload.Simulation;
import io.queuepair.tools.workload.SimulationOptions;
import io.queuepair.tools.workload.Totals;
import io.queuepair.tools.workload.Workload;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs random work on an unreliable network and checks what must be true of it. */
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
      "  queuepair simulate --seeds 1..9 --faults 'forge ack 5%% of SEND' --shrink lost.md",
      "  queuepair simulate --seeds 1..100 --faults 'drop 20%% of ACK; pause fd00::1 for 1ms'"
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int MAX_QPS = 64;

  @Spec private CommandSpec spec;

  @Mixin private NetworkOptions network;

  @Mixin private CaptureOption capture;

  @Mixin private FaultsOption faults;

  @Mixin private CoverageOption coverage;

  @Mixin private ShrinkOption shrink;

  @Option(
      names = "--seeds",
      paramLabel = "A..B",
      required = true,
      converter = SeedRange.Converter.class,
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
      names = "--progress",
      description = "Show progress also if standard error is not a terminal.")
  private boolean wantsProgress;

  /** What the devices came across. */
  private Coverage met = new Coverage();

  /** Creates the command, to be filled by picocli. */
  public SimulateCommand() {}

  @Override
  public Integer call() {
    SimulationOptions options = options();
    PrintWriter out = spec.commandLine().getOut();
    ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), wantsProgress);
    Totals totals = new Totals();
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr())) {
      long seed = seeds.first();
      while (seed <= seeds.last() && !interruption.isRequested()) {
        run(seed, options, totals, progress, interruption);
        long done = seed - seeds.first() + 1;
        progress.show(done, seeds.count(), "seeds", text(totals));
        seed++;
      }
      progress.clear();
      out.println(totals.sends());
      out.println(totals.faults());
      int covered = coverage.report(met, out);
      if (seed <= seeds.last()) {
        out.println(
            "interrupted after seed " + (seed - 1) + "; go on with: " + replay(seed, seeds.last()));
      }
      out.println(totals.line());
      return totals.failures() == 0 ? covered : FAILED;
    }
  }

  private static String text(Totals totals) {
    return totals.packets() + " packets, " + totals.failures() + " failures";
  }

  private void run(
      long seed,
      SimulationOptions options,
      Totals totals,
      ProgressBar progress,
      Interruption interruption) {
    Workload workload = Workload.of(seed, options);
    Outcome outcome = Simulation.run(workload, options.faults(), capture::around, this::look);
    totals.add(outcome);
    if (outcome.failure() != null) {
      PrintWriter out = spec.commandLine().getOut();
      progress.clear();
      out.println("seed " + seed + ", " + outcome.failure());
      out.println("  replay: " + replay(seed, seed));
      Specimen failing = Specimen.of(workload, options.faults());
      shrink.accept(failing, replay(seed, seed), out, progress, interruption);
    }
  }

  private void look(Emulator emulator) {
    if (coverage.isWanted()) {
      met = met.plus(emulator.coverage());
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
    if (!faults.plan().ofCalls().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "the work needs every call to succeed, which rules out: " + faults.plan().ofCalls());
    }
    try {
      FaultPlan both = network.faults().plus(faults.plan());
      return new SimulationOptions(both, qps, type.types());
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private String replay(long first, long last) {
    return "queuepair simulate --seeds "
        + first
        + ".."
        + last
        + " --qps "
        + qps
        + " --type "
        + type
        + network.text()
        + faults.text();
  }
}
