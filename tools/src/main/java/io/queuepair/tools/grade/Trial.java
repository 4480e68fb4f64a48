// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import io.queuepair.tools.scenario.ScenarioPlayer;
import io.queuepair.tools.scenario.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Run of an exercise with statements in its gaps. */
final class Trial {
  private static final int MOST_STEPS = 1_000;

  private final Exercise exercise;
  private final List<String> lines = new ArrayList<>();

  /** Index of the exercise's statement for each line. */
  private final List<Integer> statements = new ArrayList<>();

  private final ScenarioPlayer player;

  /**
   * Runs the exercise.
   *
   * @param fillings statements that replace a statement, by its number; empty for none
   */
  Trial(Exercise exercise, IntFunction<List<Statement>> fillings) {
    this.exercise = exercise;
    List<Statement> asked = exercise.statements();
    for (int line = 1, index = 0; line <= exercise.lines().size(); line++) {
      boolean isNext = index < asked.size() && asked.get(index).line() == line;
      List<Statement> filling = isNext ? fillings.apply(index) : List.of();
      for (Statement statement : filling) {
        add(index, statement.text());
      }
      if (filling.isEmpty()) {
        add(index, exercise.lines().get(line - 1));
      } else {
        while (exercise.lines().get(line).startsWith(" ")) {
          line++;
        }
      }
      index += isNext ? 1 : 0;
    }
    player = ScenarioPlayer.tried(lines, MOST_STEPS);
  }

  private void add(int statement, String line) {
    lines.add(line);
    statements.add(statement);
  }

  List<String> lines() {
    return lines;
  }

  /** Index of the statement with which the run ended. */
  int end() {
    return player.endLine() == 0
        ? exercise.statements().size()
        : statements.get(player.endLine() - 1);
  }

  /**
   * Reason why the run ended early, which does not reveal the answer to a gap; empty if it did not.
   *
   * @param gap the statement whose author reads the reason
   */
  String why(int gap) {
    if (player.end().isEmpty()) {
      return "";
    }
    String cause = player.cause().isEmpty() ? "" : "; " + player.cause();
    Statement last = exercise.statements().get(end());
    boolean isOwn = end() == gap;
    if (player.unmet().isEmpty() && (isOwn || !last.isGap())) {
      return player.end().replaceFirst("^Line [0-9]+: ", "") + cause;
    }
    return (isOwn ? "not so: " + player.unmet() : "then this fails: " + last.text()) + cause;
  }
}
