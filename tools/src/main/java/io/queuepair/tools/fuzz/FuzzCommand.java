package io.queuepair.tools.fuzz;

import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.CoverageOption;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Fires random and mutated datagrams at a device at work. */
@Command(
    name = "fuzz",
    description = {
      "Fires random and mutated datagrams at an emulated device with queue pairs of all types at"
          + " work, and checks that nothing is thrown, nothing hangs, no memory is written or read"
          + " that no peer may use, memory use has a limit, and connections that nobody fires at"
          + " work on. Exits with 1 if it is not so; what was fired last and the command that"
          + " replays it are printed.",
      "",
      "The same seed fires the same datagrams on every machine. With --pcap, which is for up to"
          + " 100,000 of them, each is in the file, with the reason if the device dropped it: the"
          + " file grows by about 500 bytes for each. With assertions enabled"
          + " (QUEUEPAIR_JAVA_OPTS=-ea) those of the device are checked too.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair fuzz --datagrams 1000000",
      "  queuepair fuzz --datagrams 1000 --pcap fuzz.pcapng; queuepair decode fuzz.pcapng",
      "  QUEUEPAIR_JAVA_OPTS=-ea queuepair fuzz --datagrams 1000000 --seed 42"
    })
public final class FuzzCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec;

  @Mixin private CaptureOption capture;

  @Option(
      names = "--datagrams",
      paramLabel = "N",
      required = true,
      description = "How many to fire.")
  private long datagrams;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "What they follow from; every 100,000 datagrams the next seed is taken, with new"
              + " devices (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--progress",
      description = "Show progress also if standard error is not a terminal.")
  private boolean wantsProgress;

  @Mixin private CoverageOption coverage;

  /** Creates the command, to be filled by picocli. */
  public FuzzCommand() {}

  @Override
  public Integer call() {
    if (datagrams < 1) {
      throw new ParameterException(spec.commandLine(), datagrams + " datagrams are none");
    }
    if (capture.isWanted() && datagrams > Fuzzer.EPISODE_DATAGRAMS) {
      throw new ParameterException(
          spec.commandLine(),
          "--pcap is for up to " + Fuzzer.EPISODE_DATAGRAMS + " datagrams, not " + datagrams);
    }
    PrintWriter out = spec.commandLine().getOut();
    ProgressBar bar = ProgressBar.on(spec.commandLine().getErr(), wantsProgress);
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr())) {
      FuzzTotals totals = fire(bar, interruption, out);
      bar.clear();
      print(totals, out);
      int covered = coverage.report(totals.coverage(), out);
      if (interruption.isRequested() && totals.datagrams() < datagrams) {
        out.println(goOn(totals.datagrams()));
      }
      out.println(totals.line());
      return totals.findings().isEmpty() ? covered : FAILED;
    }
  }

  private FuzzTotals fire(ProgressBar bar, Interruption interruption, PrintWriter out) {
    try (Watchdog watchdog = new Watchdog(out)) {
      return Fuzzer.run(
          datagrams,
          seed,
          Registrar.FAITHFUL,
          sofar -> {
            watchdog.feed(sofar.datagrams());
            String text = sofar.findings().size() + " violations";
            bar.show(sofar.datagrams(), datagrams, "datagrams", text);
            return !interruption.isRequested();
          },
          capture::around);
    }
  }

  /** Only whole episodes are done, each of which has its own seed. */
  private String goOn(long done) {
    return "interrupted after "
        + done
        + " datagrams; go on with: queuepair fuzz --datagrams "
        + (datagrams - done)
        + " --seed "
        + (seed + done / Fuzzer.EPISODE_DATAGRAMS);
  }

  private static void print(FuzzTotals totals, PrintWriter out) {
    for (Finding finding : totals.findings()) {
      out.println(
          "violation: seed "
              + finding.seed()
              + ", datagram "
              + finding.index()
              + ": "
              + finding.what());
      finding.datagrams().forEach(datagram -> out.println("  fired: " + datagram));
      out.println("  replay: " + finding.replay());
    }
    totals.hits().forEach(out::println);
    if (!totals.missing().isEmpty()) {
      out.println("never met: " + String.join(", ", totals.missing()));
    }
    out.println(totals.shares());
  }
}
