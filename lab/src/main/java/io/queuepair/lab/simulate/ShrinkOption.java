// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.lab.shrink.ShrinkResult;
import io.queuepair.lab.shrink.Shrinker;
import io.queuepair.lab.simulation.TestCase;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.OutputFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Option;

/** {@code --shrink}: reduces the first failing seed, and writes the result as a scenario. */
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
              + " 'queuepair scenario FILE' runs it. With --cm: the connections, the faults and"
              + " what happens, in words.")
  private Path target;

  private boolean isDone;

  /** Reduces a failing test case, if the option is given and none has been reduced yet. */
  <T extends TestCase<T>> void accept(
      T failing, SimulationKind<T> kind, String command, ShrinkConsole console) {
    if (!takesNext(console)) {
      return;
    }
    Shrinker<T> shrinker =
        kind.shrinker()
            .apply(
                (smaller, runs) ->
                    console.show(
                        1 - (double) smaller.parts() / failing.parts(),
                        smaller.size() + " left after " + runs + " runs"));
    try {
      ShrinkResult<T> result = shrinker.shrink(failing);
      console.reduced(result.smallest().size(), result.runs());
      write(kind.text().apply(result, command), console.out());
    } catch (CancellationException interrupted) {
      console.interrupted();
    }
  }

  private boolean takesNext(ShrinkConsole console) {
    boolean takes = target != null && !isDone && !console.isInterrupted();
    isDone |= takes;
    return takes;
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
