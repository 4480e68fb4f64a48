// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every exercise can be solved, and says what is missing until it is. */
@Execution(ExecutionMode.CONCURRENT)
final class ExercisesTest {
  private static final Path FOLDER = SourceTree.root().resolve("docs/exercises");
  private static final String GAP = "???";

  static Stream<Path> exercises() {
    return SourceTree.files(FOLDER, ".md").stream()
        .filter(file -> file.getParent().equals(FOLDER) && !file.endsWith("README.md"));
  }

  private static Path solutionOf(Path exercise) {
    return FOLDER.resolve("solutions").resolve(exercise.getFileName());
  }

  @ParameterizedTest
  @MethodSource("exercises")
  void anExerciseFailsWithASentenceOnWhatIsMissing(Path exercise) {
    CommandRun run = CommandRun.of("scenario", exercise.toString());

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines()).hasSize(2).last().isEqualTo("scenarios=1 agree=0 differ=1");
    assertThat(run.lines().get(0))
        .startsWith(exercise + ":")
        .containsAnyOf("something is to be filled in here: ", "; expected is ");
  }

  /** What the exercise checks, its solution has to meet. */
  @ParameterizedTest
  @MethodSource("exercises")
  void itsSolutionIsAcceptedAndKeepsWhatIsExpected(Path exercise) {
    CommandRun run = CommandRun.of("scenario", solutionOf(exercise).toString());
    assertThat(run.lines()).containsExactly("scenarios=1 agree=1 differ=0");
    assertThat(run.exitCode()).isZero();

    List<String> expected =
        SourceTree.lines(exercise).stream()
            .filter(line -> line.startsWith("expect ") && !line.contains(GAP))
            .toList();

    assertThat(expected).isNotEmpty();
    assertThat(SourceTree.lines(solutionOf(exercise)))
        .containsSubsequence(expected)
        .noneMatch(line -> line.contains(GAP));
  }

  @Test
  void theListHasEveryExerciseUnderItsTitle() {
    List<String> listed = CommandRun.of("scenario", "--exercises").lines();

    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            exercises()
                .map(
                    file -> {
                      String name = file.getFileName().toString().replace(".md", "");
                      String title = SourceTree.lines(file).get(0).substring(2);
                      return String.format("%-24s %s", name, title);
                    })
                .toList());
    assertThat(listed).hasSize(12);
  }

  @Test
  void theHelpNamesAnExerciseThatThereIs() {
    String help = String.join("\n", CommandRun.of("scenario", "--help").lines());

    assertThat(exercises().map(file -> file.getFileName().toString().replace(".md", "")))
        .anyMatch(name -> help.contains("scenario --exercise " + name));
  }

  @Test
  void namesTheExerciseThatWasMeant() {
    CommandRun run = CommandRun.of("scenario", "--exercise", "datagrams");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("there is no exercise datagrams (did you mean 'datagram'?)");
  }
}
