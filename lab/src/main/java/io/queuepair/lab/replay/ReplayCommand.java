// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProfileOption;
import io.queuepair.tools.cli.ProgressBar;
import io.queuepair.tools.cli.RangeChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Replays a recording of a real device on an emulated one. */
@Command(
    name = "replay",
    description = {
      "Replays what programs of verbs and of rdma_cm did on Linux Soft-RoCE, recorded call by"
          + " call, on emulated devices in memory and in virtual time, and compares every return"
          + " value, errno, completion, state, event and byte of memory. Prints every difference"
          + " that is not among the accepted ones (docs/reference/replay.md). Not compared: times,"
          + " hardware counters and the IPv4 identification in front of datagrams.",
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

  @Mixin private ProfileOption profileOption;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      converter = RegexConverter.class,
      description = "Only scenarios whose whole name matches.")
  private Pattern only;

  @Option(
      names = "--mutations",
      paramLabel = "N",
      description =
          "Afterwards, change a recorded status, errno, event or byte N times, one at a time, and"
              + " replay again: of what is compared, at least 95 %% must be reported.")
  private int mutations;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Decides which are changed (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--page",
      description = "Print the page about accepted differences instead; needs no FILE.")
  private boolean printsPage;

  @Option(names = "--strict", description = "Accept no difference.")
  private boolean isStrict;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Recordings: JSON lines, possibly gzipped.")
  private List<Path> files = List.of();

  @Mixin private CaptureOption capture;

  @Spec private CommandSpec spec;

  /** Name of the last scenario that was replayed; null if there is none. */
  private String last;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    new RangeChecks(spec.commandLine()).require("mutations", mutations, 0, Integer.MAX_VALUE);
    if (printsPage) {
      AcceptedPage.lines().forEach(out::println);
      return 0;
    }
    if (files.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "FILE is missing: a recording to replay");
    }
    AcceptedDifferences accepted =
        isStrict
            ? AcceptedDifferences.none()
            : AcceptedDifferences.of(profileOption.name().toString());
    ReplayReport report = new ReplayReport(out, accepted);
    MutationCheck check = new MutationCheck(profileOption.profile(), accepted);
    for (Path file : files) {
      replay(file, report, check);
    }
    if (last == null) {
      throw new ParameterException(
          spec.commandLine(),
          only == null ? "no scenario is in " + files : "--only matches no scenario of " + files);
    }
    report.printSummary();
    boolean isIncomplete = only == null && report.printIdleRules();
    try (Interruption interruption = Interruption.watch(spec.commandLine().getErr())) {
      boolean isBlind = mutations > 0 && !notices(check, interruption);
      report.printCounts();
      return report.differs() || isIncomplete || isBlind ? DIFFERS : 0;
    }
  }

  private boolean notices(MutationCheck check, Interruption interruption) {
    ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), false);
    IntPredicate isWanted =
        tried -> {
          progress.show(tried, mutations, "changes", "replayed");
          return !interruption.isRequested();
        };
    try {
      return check.run(mutations, seed, spec.commandLine().getOut(), isWanted);
    } finally {
      progress.clear();
    }
  }

  private void replay(Path file, ReplayReport report, MutationCheck check) throws IOException {
    try (RecordingReader reader = open(file)) {
      for (Optional<Scenario> next = reader.next(); next.isPresent(); next = reader.next()) {
        if (only == null || only.matcher(next.get().name()).matches()) {
          replay(next.get(), report, check);
        }
      }
    } catch (BrokenRecordingException broken) {
      throw new ParameterException(spec.commandLine(), file + ", " + broken.getMessage(), broken);
    }
  }

  private RecordingReader open(Path file) throws IOException {
    try {
      return RecordingReader.open(file);
    } catch (IOException unreadable) {
      throw InputFile.refusal(spec.commandLine(), file, unreadable);
    }
  }

  private void replay(Scenario scenario, ReplayReport report, MutationCheck check) {
    if (capture.isWanted() && last != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--pcap is for one scenario; --only matches " + last + " and " + scenario.name());
    }
    last = scenario.name();
    ReplayOutcome outcome = ReplayOutcome.of(scenario, profileOption.profile(), capture::around);
    report.add(outcome);
    if (mutations > 0 && !outcome.isSkipped()) {
      check.add(scenario);
    }
  }

  /** Converts regular expressions; a malformed one is reported in one line. */
  static final class RegexConverter implements ITypeConverter<Pattern> {
    @Override
    public Pattern convert(String text) {
      try {
        return Pattern.compile(text);
      } catch (PatternSyntaxException wrong) {
        String reason = wrong.getDescription();
        throw new TypeConversionException(
            "'%s' is not a regular expression: %s%s"
                .formatted(text, Character.toLowerCase(reason.charAt(0)), reason.substring(1)));
      }
    }
  }
}
