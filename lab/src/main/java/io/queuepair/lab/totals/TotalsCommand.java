// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.totals;

import io.queuepair.lab.shard.RunTotals;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.OutputFile;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds up the totals of the parts of a run. */
@Command(
    name = "totals",
    description = {
      "Adds up what the parts of a run of simulate have written with --totals, and prints"
          + " what the undivided run would have printed: the same numbers, failures and hash. Exits"
          + " with 1 if a part found a failure, and with 2 if parts are missing, overlap, or are of"
          + " different runs.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair simulate --seeds 1..1000 --shard 1/2 --totals 1.json",
      "  queuepair simulate --seeds 1..1000 --shard 2/2 --totals 2.json",
      "  queuepair totals 1.json 2.json"
    })
public final class TotalsCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "What --totals wrote, one file for each part, in any order.")
  private List<Path> files;

  @Option(
      names = "--totals",
      paramLabel = "FILE",
      description = "Write the sum to FILE, as JSON: it can be added to others again.")
  private Path sumFile;

  @Override
  public Integer call() {
    RunTotals totals = sum();
    if (!totals.command().startsWith("simulate ")) {
      throw new ParameterException(
          spec.commandLine(), "'" + totals.command() + "' is no run of simulate");
    }
    if (sumFile != null) {
      OutputFile.write(sumFile, totals.json());
    }
    PrintWriter out = spec.commandLine().getOut();
    totals.failures().forEach(out::println);
    SimulationSummary summary = new SimulationSummary(totals);
    summary.sentences().forEach(out::println);
    out.println(summary.line());
    return summary.failures() == 0 ? 0 : FAILED;
  }

  private RunTotals sum() {
    if (sumFile != null) {
      OutputFile.probe(spec.commandLine(), sumFile);
    }
    List<RunTotals> parts = new ArrayList<>();
    for (Path file : files) {
      try {
        parts.add(RunTotals.parse(InputFile.text(file)));
      } catch (IOException unreadable) {
        throw InputFile.refusal(spec.commandLine(), file, unreadable);
      }
    }
    try {
      return RunTotals.sum(parts);
    } catch (IllegalArgumentException | ArithmeticException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }
}
