// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every scenario happens as it says, and the index has every scenario. */
@Execution(ExecutionMode.CONCURRENT)
final class ScenarioTest {
  private static final Path FOLDER = SourceTree.root().resolve("docs/scenarios");
  private static final int AT_LEAST = 40;

  private static List<Path> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(".md") && !file.endsWith("README.md"))
          .sorted()
          .toList();
    }
  }

  @Test
  void everyScenarioHappensAsItSays() throws IOException {
    List<String> args = new ArrayList<>(List.of("scenario"));
    scenarios().forEach(file -> args.add(file.toString()));
    int count = args.size() - 1;

    CommandRun run = CommandRun.of(args.toArray(String[]::new));

    assertThat(run.err()).isEmpty();
    assertThat(run.lines()).containsExactly("scenarios=%1$d agree=%1$d differ=0".formatted(count));
    assertThat(run.exitCode()).isZero();
    assertThat(count).isGreaterThanOrEqualTo(AT_LEAST);
  }

  @Test
  void theIndexHasEveryScenarioUnderItsTitle() throws IOException {
    List<String> entries = new ArrayList<>();
    for (Path file : scenarios()) {
      String title = Files.readAllLines(file).get(0).substring(2);
      entries.add("- [" + title + "](" + file.getFileName() + ")");
    }

    List<String> index =
        Files.readAllLines(FOLDER.resolve("README.md")).stream()
            .filter(line -> line.startsWith("- ["))
            .toList();

    assertThat(index).containsExactlyInAnyOrderElementsOf(entries);
  }
}
