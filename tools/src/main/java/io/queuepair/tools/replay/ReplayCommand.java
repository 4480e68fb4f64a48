package io.queuepair.tools.replay;

import io.queuepair.tools.cli.ProfileName;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a recording of a real device. */
@Command(
    name = "replay",
    description = {
      "Replays what programs did on Linux Soft-RoCE, recorded call by call, on emulated devices in"
          + " memory and in virtual time, and compares every return value, errno, completion,"
          + " state, event and byte of memory. Prints every difference that is not among the"
          + " accepted ones (docs/reference/replay.md). Not compared: times, hardware counters and"
          + " the IPv4 identification in front of datagrams.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything agrees, or differs for an accepted reason",
      "1:something differs, or an accepted difference did not occur",
      "2:the command line or the file is not understood"
    },
    footerHeading = "%nExample:%n",
    footer = "  queuepair replay --profile soft-roce --only 'rc_rnr_.*' scenarios.jsonl")
public final class ReplayCommand implements Callable<Integer> {
  private static final int DIFFERS = 1;
  private static final int BROKEN = 2;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = ProfileName.Converter.class,
      defaultValue = "default",
      description = "Device to emulate: default (what the specification says) or soft-roce.")
  private ProfileName profile;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Only scenarios whose whole name matches.")
  private Pattern only;

  @Option(names = "--strict", description = "Accept no difference.")
  private boolean isStrict;

  @Parameters(paramLabel = "FILE", description = "A recording: JSON lines, maybe gzipped.")
  private Path file;

  @Spec private CommandSpec spec;

  /** Creates the command, to be filled by picocli. */
  public ReplayCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    AcceptedDifferences accepted =
        isStrict ? AcceptedDifferences.none() : AcceptedDifferences.of(profile.toString());
    ReplayReport report = new ReplayReport(out, accepted);
    try (RecordingReader reader = RecordingReader.open(file)) {
      for (Optional<Scenario> next = reader.next(); next.isPresent(); next = reader.next()) {
        Scenario scenario = next.get();
        if (only == null || only.matcher(scenario.name()).matches()) {
          report.add(Outcome.of(scenario, profile.profile()));
        }
      }
    } catch (BrokenRecordingException broken) {
      spec.commandLine().getErr().println(file + ": " + broken.getMessage());
      return BROKEN;
    }
    report.printSummary();
    boolean isIncomplete = only == null && report.printIdleRules();
    report.printCounts();
    return report.differs() || isIncomplete ? DIFFERS : 0;
  }
}
