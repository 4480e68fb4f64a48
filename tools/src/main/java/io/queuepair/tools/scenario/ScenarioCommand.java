// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.CoverageOption;
import io.queuepair.tools.cli.ErrorReporter;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs scenarios and compares their output with the expected one. */
@Command(
    name = "scenario",
    description = {
      "Runs scenarios: small texts with commands, and the packets, completions, events and"
          + " refusals that are expected. Everything is in virtual time, so each run is the same."
          + " Exit code 1 and a diff if something else happens. docs/scenarios has many, and a"
          + " README that explains how they are written.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair scenario docs/scenarios/*.md",
      "  queuepair scenario --coverage docs/scenarios/*.md",
      "  queuepair scenario --step docs/scenarios/rnr-nak.md",
      "  queuepair scenario --html rnr.html docs/scenarios/rnr-nak.md",
      "  queuepair scenario --pcap rnr.pcapng docs/scenarios/rnr-nak.md",
      "  queuepair scenario --record my-bug.md"
    })
public final class ScenarioCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "scenarios to run")
  private List<Path> files;

  @Option(
      names = "--record",
      description = "write what happens into the files, as what they expect from now on")
  private boolean isRecording;

  @Option(
      names = "--step",
      description =
          "walk through one scenario: what happens, and each queue pair and queue after it; at a"
              + " terminal Enter continues")
  private boolean isStepping;

  @Option(
      names = "--html",
      paramLabel = "PAGE",
      description =
          "write a page with the sequence diagram of one scenario, to be stepped through in a"
              + " browser; it needs no other file")
  private Path page;

  @Mixin private CaptureOption capture;
  @Mixin private CoverageOption coverage;

  @Spec private CommandSpec spec;

  private Coverage met = new Coverage();
  private int agreeing;
  private int differing;
  private boolean isFileMissing;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    boolean isForOne = isStepping || page != null || capture.isWanted();
    if (isForOne && files.size() != 1) {
      throw new ParameterException(
          spec.commandLine(), "--step, --html and --pcap take one scenario, not " + files.size());
    }
    for (Path path : files) {
      if (!path.endsWith("README.md")) {
        run(path, out);
      }
    }
    int covered = coverage.report(met, out);
    out.printf("scenarios=%d agree=%d differ=%d%n", agreeing + differing, agreeing, differing);
    if (isFileMissing) {
      return spec.exitCodeOnInvalidInput();
    }
    return differing == 0 ? covered : 1;
  }

  private void run(Path path, PrintWriter out) {
    ScenarioFile file;
    ScenarioRun scenarioRun;
    List<TimelineStep> steps = new ArrayList<>();
    try {
      file = ScenarioFile.read(path);
      // Steps are recorded only if needed: each holds all objects after an event.
      Consumer<TimelineStep> watcher =
          isStepping || page != null ? steps::add : StateRecorder.NO_WATCHER;
      scenarioRun = ScenarioRun.of(file, watcher, capture::around);
    } catch (ScenarioException exception) {
      out.println(exception.getMessage());
      differing++;
      return;
    } catch (IOException unreadable) {
      ParameterException refusal = InputFile.refusal(spec.commandLine(), path, unreadable);
      ErrorReporter.print(refusal);
      differing++;
      isFileMissing = true;
      return;
    }
    if (isStepping) {
      new StepPrinter(out, StepPrinter::waitForEnter).print(file, steps);
      out.println();
    }
    if (page != null) {
      OutputFile.write(page, ScenarioPage.of(file, scenarioRun, steps, PageContent.of(file)));
    }
    if (scenarioRun.failure().isPresent()) {
      out.println(scenarioRun.failure().get().getMessage());
      differing++;
      return;
    }
    met = met.plus(scenarioRun.coverage());
    compare(file, scenarioRun, out);
  }

  private void compare(ScenarioFile file, ScenarioRun scenarioRun, PrintWriter out) {
    if (isRecording) {
      record(file, scenarioRun, out);
      return;
    }
    List<String> differences =
        file.isExercise() ? List.of() : LineDiff.of(file.expected(), scenarioRun.lines());
    if (differences.isEmpty()) {
      agreeing++;
      return;
    }
    differing++;
    out.println(file.path() + ": " + file.title());
    out.println("  - is expected, + happened");
    differences.forEach(line -> out.println("  " + line));
  }

  private void record(ScenarioFile file, ScenarioRun scenarioRun, PrintWriter out) {
    try {
      file.record(scenarioRun.lines());
      agreeing++;
    } catch (CommandFailure unwritable) {
      out.println(unwritable.getMessage());
      differing++;
    }
  }
}
