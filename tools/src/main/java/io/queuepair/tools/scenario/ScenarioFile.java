// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

record ScenarioFile(
    Path path,
    String title,
    List<String> text,
    List<Statement> statements,
    List<String> expected,
    List<String> lines) {
  private static final String COMMANDS = "```commands";
  private static final String EXPECTED = "```expected";
  private static final String END = "```";

  static ScenarioFile read(Path path) throws IOException {
    return of(path, InputFile.lines(path));
  }

  static ScenarioFile of(Path path, List<String> lines) {
    if (lines.isEmpty() || !lines.get(0).startsWith("# ")) {
      throw ScenarioException.at(
          path.toString(), 1, "the first line is not '# ' and the title of the scenario");
    }
    int commands = find(path, lines, COMMANDS, 0);
    int commandsEnd = find(path, lines, END, commands);
    List<String> text = lines.subList(1, commands - 1);
    if (text.stream().allMatch(String::isBlank)) {
      throw ScenarioException.at(
          path.toString(), 2, "there is no paragraph that says what the scenario shows and why");
    }
    List<String> expected = List.of();
    if (lines.contains(EXPECTED)) {
      int begin = find(path, lines, EXPECTED, commandsEnd);
      expected = lines.subList(begin, find(path, lines, END, begin) - 1);
    }
    return new ScenarioFile(
        path,
        lines.get(0).substring(2).strip(),
        List.copyOf(text),
        Statement.of(path.toString(), lines.subList(commands, commandsEnd - 1), commands + 1),
        List.copyOf(expected),
        List.copyOf(lines));
  }

  /** Number, from 1, of the next line that equals a text. */
  private static int find(Path path, List<String> lines, String wanted, int from) {
    for (int i = from; i < lines.size(); i++) {
      if (lines.get(i).stripTrailing().equals(wanted)) {
        return i + 1;
      }
    }
    throw ScenarioException.at(
        path.toString(), Math.max(1, from), "from here on no line is '" + wanted + "'");
  }

  /** Copy with only the statements above a line. */
  ScenarioFile before(int line) {
    List<Statement> above =
        statements.stream().filter(statement -> statement.line() < line).toList();
    return new ScenarioFile(path, title, text, above, expected, lines);
  }

  /** Comment directly above the statement that begins a step; empty if there is none. */
  String remark(TimelineStep step) {
    Deque<String> comments = new ArrayDeque<>();
    if (!step.statement().isEmpty()) {
      for (int i = step.line() - 2; lines.get(i).strip().startsWith("#"); i--) {
        comments.addFirst(lines.get(i).strip().substring(1).strip());
      }
    }
    return String.join(" ", comments);
  }

  int expectations() {
    return (int) statements.stream().filter(Statement::isExpectation).count();
  }

  /** Whether {@code expect} statements replace the block of expected output. */
  boolean isExercise() {
    return expectations() > 0 && !lines.contains(EXPECTED);
  }

  /** Lines of the file with other expected output. */
  List<String> expecting(List<String> actual) {
    List<String> changed = new ArrayList<>();
    int commandsEnd = find(path, lines, END, find(path, lines, COMMANDS, 0));
    changed.addAll(lines.subList(0, commandsEnd));
    changed.add("");
    changed.add(EXPECTED);
    changed.addAll(actual);
    changed.add(END);
    if (lines.contains(EXPECTED)) {
      int begin = find(path, lines, EXPECTED, commandsEnd);
      changed.addAll(lines.subList(find(path, lines, END, begin), lines.size()));
    }
    return changed;
  }

  /** Writes the file with other expected output, unless that is unchanged. */
  void record(List<String> actual) {
    if (expected.equals(actual) && lines.contains(EXPECTED)) {
      return;
    }
    String end = System.lineSeparator();
    OutputFile.write(path, String.join(end, expecting(actual)) + end);
  }
}
