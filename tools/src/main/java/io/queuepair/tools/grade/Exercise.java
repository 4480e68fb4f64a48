// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.Suggestion;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.scenario.ScenarioText;
import io.queuepair.tools.scenario.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Scenario with gaps; without a gap, the exercise asks for another value of one argument.
 *
 * @param name of the file, without its extension
 * @param lines of the file
 * @param statements its commands
 * @param solution lines of a file with the solution and hints below its commands; empty if there is
 *     none
 */
record Exercise(
    String name, List<String> lines, List<Statement> statements, List<String> solution) {
  private static final String FOLDER = "docs/exercises/";
  private static final Pattern ENTRY = Pattern.compile("\\[([^]]+)]\\(([a-z0-9-]+)\\.md\\)");

  private Exercise(String name, List<String> lines, List<String> solution) {
    this(name, lines, ScenarioText.commands(lines), solution);
  }

  /** Titles of the exercises of this project by name, in the order of their list. */
  static Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    Matcher entry = ENTRY.matcher(ProjectFiles.page(FOLDER + "README.md"));
    while (entry.find()) {
      titles.put(entry.group(2), entry.group(1));
    }
    return titles;
  }

  /**
   * Loads an exercise of this project.
   *
   * @throws CommandFailure if there is none of that name
   */
  static Exercise named(String name) {
    Map<String, String> titles = titles();
    if (!titles.containsKey(name)) {
      String near = Suggestion.of(name, titles.keySet());
      throw new CommandFailure("there is no exercise " + name + near);
    }
    String file = name + ".md";
    return new Exercise(
        name,
        ProjectFiles.page(FOLDER + file).lines().toList(),
        ProjectFiles.page(FOLDER + "solutions/" + file).lines().toList());
  }

  /** Loads a teacher's exercise; its solution is in the folder {@code solutions}. */
  static Exercise of(Path file) throws IOException {
    Path solution = file.resolveSibling("solutions").resolve(file.getFileName());
    return new Exercise(
        file.getFileName().toString().replace(".md", ""),
        InputFile.lines(file),
        Files.exists(solution) ? InputFile.lines(solution) : List.of());
  }

  /** Indices of the statements with a gap. */
  List<Integer> gaps() {
    return IntStream.range(0, statements.size())
        .filter(index -> statements.get(index).isGap())
        .boxed()
        .toList();
  }

  int points() {
    return Math.max(1, gaps().size());
  }

  /**
   * Hints for a gap, which is counted from 1; none if {@code why} is empty.
   *
   * @param most limit of hints
   */
  List<String> hints(int gap, String why, int most) {
    String mark = "- gap " + gap + ": ";
    return solution.stream()
        .filter(line -> line.startsWith(mark) && !why.isEmpty())
        .map(line -> line.substring(mark.length()))
        .limit(most)
        .toList();
  }
}
