// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.shard.Shard;
import io.queuepair.lab.shard.ShardOption;
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
          + " that no peer may use, memory use has a limit, and connections that are not fired at"
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
      "  QUEUEPAIR_JAVA_OPTS=-ea queuepair fuzz --datagrams 1000000 --seed 42",
      "  queuepair fuzz --datagrams 1000000000 --shard 1/4 --totals part-1.json"
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

  @Mixin private ShardOption shard;

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
    FuzzPart part = part();
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr())) {
      FuzzTotals totals = fire(part, bar, interruption, out);
      bar.clear();
      totals.findings().forEach(finding -> finding.lines().forEach(out::println));
      FuzzReport report = totals.report();
      report.lines().forEach(out::println);
      int covered = coverage.report(totals.coverage(), out);
      if (totals.episodes() < episodes(part.datagrams())) {
        out.println(remainder(part, totals.episodes()));
      }
      shard.write(totals.totals(part.seed()));
      out.println(report.line());
      return totals.findings().isEmpty() ? covered : FAILED;
    }
  }

  /**
   * What this process fires.
   *
   * @param datagrams how many
   * @param seed of the first episode
   */
  private record FuzzPart(long datagrams, long seed) {}

  private FuzzPart part() {
    long episodes = episodes(datagrams);
    Shard mine = shard.of(episodes, "times " + Fuzzer.EPISODE_DATAGRAMS + " datagrams");
    long before = mine.before(episodes) * Fuzzer.EPISODE_DATAGRAMS;
    long count = mine.count(episodes) * Fuzzer.EPISODE_DATAGRAMS;
    return new FuzzPart(Math.min(count, datagrams - before), seed + mine.before(episodes));
  }

  private static long episodes(long datagrams) {
    return (datagrams - 1) / Fuzzer.EPISODE_DATAGRAMS + 1;
  }

  private FuzzTotals fire(
      FuzzPart part, ProgressBar bar, Interruption interruption, PrintWriter out) {
    try (FuzzWatchdog watchdog = new FuzzWatchdog(out)) {
      return Fuzzer.run(
          part.datagrams(),
          part.seed(),
          RegionFactory.FAITHFUL,
          sofar -> {
            watchdog.feed(sofar.datagrams());
            String text = sofar.findings().size() + " violations";
            bar.show(sofar.datagrams(), part.datagrams(), "datagrams", text);
            return !interruption.isRequested();
          },
          capture::around);
    }
  }

  /** Only whole episodes are done, each of which has its own seed. */
  private static String remainder(FuzzPart part, long episodes) {
    long done = episodes * Fuzzer.EPISODE_DATAGRAMS;
    return "interrupted after "
        + done
        + " datagrams; go on with: queuepair fuzz --datagrams "
        + (part.datagrams() - done)
        + " --seed "
        + (part.seed() + episodes);
  }
}
