package io.queuepair.tools.simulate;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.OutputFile;
import io.queuepair.tools.cli.ProgressBar;
import io.queuepair.tools.shrink.Shrinker;
import io.queuepair.tools.shrink.Shrunk;
import io.queuepair.tools.shrink.ShrunkScenario;
import io.queuepair.tools.shrink.Specimen;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** {@code --shrink}: reduces the first seed that fails, and writes what is left as a scenario. */
final class ShrinkOption {
  private static final String STANDARD_OUTPUT = "-";
  private static final Path PRINTED = Path.of(STANDARD_OUTPUT);

  @Option(
      names = "--shrink",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = STANDARD_OUTPUT,
      description =
          "Reduce the first seed that fails to the smallest work and the fewest faults that fail in"
              + " the same way, and print that as a scenario, or write it to the file;"
              + " 'queuepair scenario FILE' runs it.")
  private Path target;

  private boolean isDone;

  /** Reduces what has failed, unless that is not wanted or one is reduced already. */
  void accept(
      Specimen specimen,
      String command,
      PrintWriter out,
      ProgressBar progress,
      Interruption interruption) {
    if (target == null || isDone || interruption.isRequested()) {
      return;
    }
    isDone = true;
    int actions = specimen.workload().actions().size();
    Shrinker shrinker =
        new Shrinker(
            UnaryOperator.identity(),
            (smaller, runs) -> {
              if (interruption.isRequested()) {
                throw new CancellationException();
              }
              double left = (double) smaller.workload().actions().size() / actions;
              progress.show(1 - left, smaller.size() + " left after " + runs + " runs");
            });
    Shrunk shrunk;
    try {
      shrunk = shrinker.shrink(specimen);
    } catch (CancellationException interrupted) {
      progress.clear();
      out.println("  interrupted before it was reduced");
      return;
    }
    progress.clear();
    out.println("  reduced to " + shrunk.smallest().size() + " in " + shrunk.runs() + " runs");
    write(ShrunkScenario.of(shrunk, command), out);
  }

  private void write(List<String> lines, PrintWriter out) {
    if (target.equals(PRINTED)) {
      print(lines, out);
      return;
    }
    try {
      String end = System.lineSeparator();
      OutputFile.write(target, String.join(end, lines) + end);
      out.println("  scenario: " + target);
    } catch (CommandFailure unwritable) {
      out.println("  " + unwritable.getMessage() + "; the scenario is this:");
      print(lines, out);
    }
  }

  private static void print(List<String> lines, PrintWriter out) {
    out.println();
    lines.forEach(out::println);
    out.println();
  }
}
