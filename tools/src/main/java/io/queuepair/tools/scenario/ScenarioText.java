// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.tools.cli.CommandFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** Operations on scenarios as text. */
public final class ScenarioText {
  private static final Path NOWHERE = Path.of("scenario");
  private static final String BEGIN = "```commands";

  private ScenarioText() {}

  /** Runs a scenario and returns it with the actual output as expected output. */
  public static List<String> recorded(List<String> lines) {
    ScenarioFile file = ScenarioFile.of(NOWHERE, lines);
    ScenarioRun run =
        ScenarioRun.of(file, StateRecorder.NO_WATCHER, UnaryOperator.identity()).orThrow();
    return file.expecting(run.lines());
  }

  /** Parses the commands of a text, of which only the block of commands is needed. */
  public static List<Statement> commands(List<String> lines) {
    int begin = lines.indexOf(BEGIN) + 1;
    int length = lines.subList(begin, lines.size()).indexOf("```");
    if (begin == 0 || length < 0) {
      throw new CommandFailure("it has no block of commands: " + BEGIN + ", the commands, ```");
    }
    try {
      return Statement.of("line ", lines.subList(begin, begin + length), begin + 1);
    } catch (ScenarioException exception) {
      throw new CommandFailure(exception.getMessage().replace("line :", "line "), exception);
    }
  }
}
