// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.scenario.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Grades one file: runs the exercise with the statements that the file gives for the gaps. */
public final class Grading {
  private final Exercise exercise;
  private final Answer answer;
  private final Trial whole;

  private Grading(Exercise exercise, List<String> lines) {
    this.exercise = exercise;
    answer = new Answer(exercise, lines);
    if (!answer.isToTheExercise()) {
      throw new CommandFailure("most commands of " + exercise.name() + " are not in it");
    }
    whole = new Trial(exercise, answer::filling);
  }

  /**
   * Grades an answer to an exercise of this project.
   *
   * @param exercise name of the exercise
   * @param lines of the answer
   * @throws CommandFailure if there is no such exercise, or the lines are no answer to it
   */
  public static Grading of(String exercise, List<String> lines) {
    return new Grading(Exercise.named(exercise), lines);
  }

  /**
   * Grades an answer.
   *
   * @param file name of the answer
   * @param hints most hints for each gap that is not correct
   */
  static Grade of(Exercise exercise, String file, List<String> lines, int hints) {
    try {
      return new Grading(exercise, lines).grade(file, hints);
    } catch (CommandFailure failure) {
      return new Grade(file, 0, exercise.points(), failure.getMessage(), List.of(), List.of());
    }
  }

  /** Lines of the exercise with the gaps filled in. */
  public List<String> text() {
    return whole.lines();
  }

  /**
   * Grades each gap alone, with the others filled by the solution if there is one.
   *
   * @param file name of the answer
   * @param hints most hints for each gap that is not correct
   */
  public Grade grade(String file, int hints) {
    List<Grade.Gap> gaps = new ArrayList<>();
    if (exercise.gaps().isEmpty()) {
      String why = whyNotChanged();
      gaps.add(new Grade.Gap(0, "one argument", why, exercise.hints(1, why, hints)));
    }
    for (int index : exercise.gaps()) {
      Statement task = exercise.statements().get(index);
      List<Statement> filling = answer.filling(index);
      int line = filling.isEmpty() ? 0 : filling.get(0).line();
      String why = filling.isEmpty() ? "nothing is filled in" : whyNot(index, filling);
      List<String> given = exercise.hints(gaps.size() + 1, why, hints);
      gaps.add(new Grade.Gap(line, task.text(), why, given));
    }
    int points = (int) gaps.stream().filter(gap -> gap.why().isEmpty()).count();
    return new Grade(file, points, gaps.size(), "", gaps, answer.ignored);
  }

  private String whyNotChanged() {
    return switch (answer.changes.size()) {
      case 0 -> "no argument has another value";
      case 1 -> whole.why(-1);
      default -> "more than one argument has another value";
    };
  }

  private String whyNot(int index, List<Statement> filling) {
    if (exercise.solution().isEmpty()) {
      boolean isPassed = exercise.gaps().stream().anyMatch(g -> g > index && g <= whole.end());
      return isPassed ? "" : whole.why(index);
    }
    Answer solution = new Answer(exercise, exercise.solution());
    String why =
        new Trial(exercise, each -> each == index ? filling : solution.filling(each)).why(index);
    List<Statement> wanted = solution.filling(index);
    boolean isPrediction = wanted.stream().allMatch(Statement::isExpectation);
    return why.isEmpty() && isPrediction && !words(filling).containsAll(words(wanted))
        ? "it says less than is asked for"
        : why;
  }

  private static List<String> words(List<Statement> statements) {
    return statements.stream()
        .flatMap(each -> Arrays.stream(each.text().replace("\"", "").split(" +")))
        .toList();
  }
}
