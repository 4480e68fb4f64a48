package io.queuepair.tools.scenario;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs scenarios and compares what happens with what they expect. */
@Command(
    name = "scenario",
    description = {
      "Runs scenarios: small texts with commands, and the packets, completions, events and refusals"
          + " that are expected. Everything is in virtual time, so each run is the same. Exit code 1"
          + " and a diff if something else happens. docs/scenarios has many, and a README that"
          + " explains how they are written.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair scenario docs/scenarios/*.md",
      "  queuepair scenario --record my-bug.md"
    })
public final class ScenarioCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "scenarios to run")
  private List<Path> files;

  @Option(
      names = "--record",
      description = "write what happens into the files, as what they expect from now on")
  private boolean isRecording;

  @Spec private CommandSpec spec;

  private int agreeing;
  private int differing;

  /** Creates the command, to be filled by picocli. */
  public ScenarioCommand() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (Path path : files) {
      if (!path.getFileName().toString().equals("README.md")) {
        run(path, out);
      }
    }
    out.printf("scenarios=%d agree=%d differ=%d%n", agreeing + differing, agreeing, differing);
    return differing == 0 ? 0 : 1;
  }

  private void run(Path path, PrintWriter out) {
    ScenarioFile file;
    Performance performance;
    try {
      file = ScenarioFile.read(path);
      performance = Performance.of(file, moment -> {});
    } catch (ScenarioException wrong) {
      out.println(wrong.getMessage());
      differing++;
      return;
    }
    if (isRecording) {
      file.record(performance.lines());
      agreeing++;
      return;
    }
    List<String> differences = LineDiff.of(file.expected(), performance.lines());
    if (differences.isEmpty()) {
      agreeing++;
      return;
    }
    differing++;
    out.println(path + ": " + file.title());
    out.println("  - is expected, + happened");
    differences.forEach(line -> out.println("  " + line));
  }
}
