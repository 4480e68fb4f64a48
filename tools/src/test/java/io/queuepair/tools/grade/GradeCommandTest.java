// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every exercise can be solved, and an answer gets the points that it deserves. */
final class GradeCommandTest {
  private static final Path FOLDER = SourceTree.root().resolve("docs/exercises");

  @TempDir private Path folder;

  private static Stream<String> exercises() {
    return SourceTree.files(FOLDER, ".md").stream()
        .filter(file -> file.getParent().equals(FOLDER) && !file.endsWith("README.md"))
        .map(file -> file.getFileName().toString().replace(".md", ""));
  }

  private static Path solutionOf(String exercise) {
    return FOLDER.resolve("solutions").resolve(exercise + ".md");
  }

  private static Stream<List<String>> answers() throws IOException {
    try (InputStream in = GradeCommandTest.class.getResourceAsStream("answers.tsv")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> List.of(line.split("\t", -1)));
    }
  }

  private CommandRun grade(String exercise, String text, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("answer.md"), text);
    return CommandRun.of(
        Stream.concat(Stream.of("grade", exercise, file.toString()), Stream.of(options))
            .toArray(String[]::new));
  }

  /** Edited tests, empty predictions, right ideas with a typing error, and right ones. */
  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerGetsThePointsThatItDeserves(List<String> row) throws IOException {
    String text = Files.readString(solutionOf(row.get(0)));
    for (String edit : row.subList(3, row.size())) {
      String[] parts = edit.split("=>", -1);
      String edited = text.replaceFirst(parts[0], parts[1].replace("\\n", "\n"));
      assertThat(edited).as(edit).isNotEqualTo(text);
      text = parts[0].startsWith("(?m)") ? text.replaceAll(parts[0], "") : edited;
    }

    CommandRun run = grade(row.get(0), text);

    assertThat(run.lines().get(0)).endsWith(": " + row.get(1).replace("/", " of "));
    assertThat(run.out()).contains(row.get(2));
    assertThat(run.lines()).last().asString().endsWith(" points=" + row.get(1));
    String[] points = row.get(1).split("/", -1);
    assertThat(run.exitCode()).isEqualTo(points[0].equals(points[1]) ? 0 : 1);
  }

  @ParameterizedTest
  @MethodSource("exercises")
  void anExerciseAsItIsHasNoPointAndHintsThatAreNotItsAnswers(String exercise) throws IOException {
    String text = Files.readString(FOLDER.resolve(exercise + ".md"));

    CommandRun run = grade(exercise, text, "--hints", "9");

    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).contains("solved=0 points=0/", "    hint: ");
    List<String> solved = SourceTree.lines(solutionOf(exercise));
    assertThat(solved.subList(0, solved.indexOf("## Hints")))
        .filteredOn(line -> line.contains(" ") && !text.contains(line) && !line.startsWith("#"))
        .noneMatch(run.out()::contains);
  }

  @ParameterizedTest
  @MethodSource("exercises")
  void aSolutionHasAllPointsAndNothingInItIsIgnored(String exercise) {
    CommandRun run = CommandRun.of("grade", exercise, solutionOf(exercise).toString());

    assertThat(run.lines()).hasSize(2).last().asString().startsWith("files=1 solved=1 ");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theListHasEveryExerciseUnderItsTitle() {
    List<String> titles =
        exercises()
            .map(
                name -> {
                  String title = SourceTree.lines(FOLDER.resolve(name + ".md")).get(0);
                  return String.format("%-24s %s", name, title.substring(2));
                })
            .toList();

    assertThat(CommandRun.of("grade").lines())
        .hasSize(16)
        .containsExactlyInAnyOrderElementsOf(titles);
  }

  @Test
  void namesTheExerciseThatWasMeant() {
    CommandRun run = CommandRun.of("grade", "datagrams");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("there is no exercise datagrams (did you mean 'datagram'?)");
  }

  @Test
  void anotherFileIsNoAnswerAndAMissingOneIsAnError() throws IOException {
    assertThat(grade("find-the-mistake", "# T\n\nx\n\n```commands\ndevice a\n```\n").lines())
        .first()
        .asString()
        .endsWith("0 of 1: most commands of find-the-mistake are not in it");
    assertThat(grade("datagram", "no commands").out()).contains("it has no block of commands");
    assertThat(grade("datagram", "```commands\ndevice \"a\n```").out())
        .contains("line 2: the quotation mark at column 8 is not closed");

    CommandRun missing = CommandRun.of("grade", "datagram", folder.resolve("none.md").toString());

    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).contains("cannot read ", "none.md").hasLineCount(1);
  }

  /** Without a solution the first failure counts for the gap before it. */
  @Test
  void gradesAnExerciseOfATeacherAndStandardInput() throws IOException {
    String text =
        """
        # My own

        Why.

        ```commands
        device a
        create_qp a.qp
        expect state a.qp ???
        ??? leave RESET
        expect state a.qp INIT
        expect completion a.cq ???
        ```
        """;
    Path own = Files.writeString(folder.resolve("own.md"), text);
    String answer =
        text.replace("qp ???", "qp RESET")
            .replace("??? leave RESET", "modify_qp a.qp state=INIT port=1 pkey_index=0")
            .replace("cq ???", "cq none");
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    CommandRun run;
    try {
      run = CommandRun.of("grade", own.toString(), "-", "--json");
    } finally {
      System.setIn(before);
    }

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines())
        .singleElement()
        .asString()
        .contains("\"file\":\"-\",\"points\":1,\"of\":3,\"error\":\"\"")
        .contains("\"line\":9,\"task\":\"??? leave RESET\",\"why\":\"then this fails: expect state")
        .contains("refused: ibv_modify_qp: EINVAL: RESET -> INIT (RC) needs ACCESS_FLAGS");
  }
}
