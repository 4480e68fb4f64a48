// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tools.Main;
import java.io.IOException;
import java.util.Collection;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The page of commands is what {@code --help} prints. */
@Execution(ExecutionMode.CONCURRENT)
final class CommandsPageTest {
  private static final int WIDTH = 100;

  private static Collection<CommandLine> commands() {
    return Main.commandLine().getSubcommands().values();
  }

  private static Stream<String> names() {
    return commands().stream().map(CommandLine::getCommandName);
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder();
    page.append("# Commands\n\n")
        .append("What `queuepair COMMAND --help` prints. `bin/queuepair` builds on first use; ")
        .append("`java -jar tools/target/queuepair.jar`\nis the same without it.\n\n")
        .append("| command | what it does |\n|---|---|\n");
    for (CommandLine command : commands()) {
      page.append("| [")
          .append(command.getCommandName())
          .append("](#")
          .append(command.getCommandName())
          .append(") | ")
          .append(summary(command))
          .append(" |\n");
    }
    for (CommandLine command : commands()) {
      command.setUsageHelpWidth(WIDTH);
      page.append("\n## ")
          .append(command.getCommandName())
          .append("\n\n```text\n")
          .append(command.getUsageMessage(Ansi.OFF).replaceAll("[ \t]+\\R", "\n").strip())
          .append("\n```\n");
    }
    GeneratedPage.byTest("docs/commands.md", CommandsPageTest.class).check(page.toString());
  }

  @Test
  void everyCommandSaysWhatItDoes() {
    assertThat(commands()).hasSizeGreaterThan(10);
    assertThat(commands()).allSatisfy(command -> assertThat(summary(command)).endsWith("."));
  }

  @ParameterizedTest
  @MethodSource("names")
  void helpOfEveryCommandHasAnExampleAndFitsATerminal(String command) {
    CommandRun run = CommandRun.of(command, "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("Example").contains("  queuepair " + command);
    assertThat(run.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  /** The first sentence of its description. */
  private static String summary(CommandLine command) {
    String description =
        String.join(" ", command.getCommandSpec().usageMessage().description()).strip();
    return description.split("(?<=\\.) ", 2)[0].replace("|", "\\|");
  }
}
