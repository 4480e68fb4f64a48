// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import io.queuepair.tools.scenario.ScenarioText;
import io.queuepair.tools.scenario.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Statements that a student's file gives for the gaps of an exercise. */
final class Answer {
  /** Score of equal statements, more than any number of similar ones. */
  private static final int SAME = 100;

  /** Verbs of statements whose values an exercise without gaps does not ask for. */
  private static final Set<String> FIXED = Set.of("device", "expect", "fault", "run");

  /** Statements that replace a statement of the exercise, by its number. */
  final Map<Integer, List<Statement>> changes = new TreeMap<>();

  /** Sentences about parts of the file that do not count. */
  final List<String> ignored = new ArrayList<>();

  private final Exercise exercise;

  /** Number of statements of the exercise that are in the file. */
  private int found;

  /**
   * Matches the statements of a file with those of an exercise, and finds the content of its gaps.
   *
   * @throws io.queuepair.tools.cli.CommandFailure if the file has no commands
   */
  Answer(Exercise exercise, List<String> lines) {
    this.exercise = exercise;
    align(exercise.statements(), ScenarioText.commands(lines));
  }

  /** Pairs statements, in order, so that as many as possible are equal. */
  private void align(List<Statement> asked, List<Statement> given) {
    int[][] best = new int[asked.size() + 1][given.size() + 1];
    for (int i = asked.size() - 1; i >= 0; i--) {
      for (int j = given.size() - 1; j >= 0; j--) {
        int pair = likeness(asked.get(i), given.get(j)) + best[i + 1][j + 1];
        best[i][j] = Math.max(pair, Math.max(best[i + 1][j], best[i][j + 1]));
      }
    }
    int gap = -1;
    for (int i = 0, j = 0; j < given.size(); ) {
      int like = i < asked.size() ? likeness(asked.get(i), given.get(j)) : 0;
      if (i < asked.size() && asked.get(i).verb().equals(Statement.GAP)) {
        gap = i++;
      } else if (like > 0 && best[i][j] == like + best[i + 1][j + 1]) {
        take(i++, given.get(j++));
        gap = -1;
      } else if (i < asked.size() && best[i][j] == best[i + 1][j] && gap < 0) {
        i++;
      } else if (best[i][j] == best[i][j + 1]) {
        add(gap, given.get(j++));
      } else {
        i++;
      }
    }
  }

  private static int likeness(Statement asked, Statement given) {
    if (asked.words().equals(given.words())) {
      return SAME;
    }
    if (!asked.verb().equals(given.verb()) || asked.arguments().isEmpty()) {
      return 0;
    }
    Set<String> common = new HashSet<>(asked.words());
    common.retainAll(given.words());
    String first = asked.words().get(1);
    boolean isAlike = first.contains(Statement.GAP) || common.contains(first);
    return isAlike ? common.size() * (asked.isGap() ? 2 : 1) : 0;
  }

  /** Accepts a statement for one of the exercise, whose words count outside of the gap. */
  private void take(int index, Statement given) {
    Statement asked = exercise.statements().get(index);
    boolean isSame = asked.words().equals(given.words());
    found += isSame || asked.isGap() ? 1 : 0;
    Statement counted = asked;
    if (asked.isGap() || isOtherValue(asked, given)) {
      String text = asked.isGap() ? filled(asked, given) : given.text();
      changes.put(index, Statement.of("", List.of(text), given.line()));
      counted = changes.get(index).get(0);
    }
    if (!isSame && !counted.words().containsAll(given.words())) {
      ignored.add("line " + given.line() + " counts as: " + counted.text());
    }
  }

  private static String filled(Statement asked, Statement given) {
    List<String> words = new ArrayList<>();
    List<String> rest = new ArrayList<>(given.words());
    asked.words().forEach(rest::remove);
    for (String word : asked.words()) {
      if (word.equals(Statement.GAP)) {
        // The rest of the words fills the gap.
        words.addAll(rest.isEmpty() ? List.of(word) : rest);
        break;
      }
      int at = word.indexOf(Statement.GAP);
      String begin = word.substring(0, Math.max(0, at));
      String end = word.substring(at < 0 ? 0 : at + Statement.GAP.length());
      words.add(
          rest.stream()
              .filter(each -> at >= 0 && each.startsWith(begin) && each.endsWith(end))
              .filter(each -> each.length() > begin.length() + end.length())
              .findFirst()
              .orElse(word));
    }
    return String.join(" ", words);
  }

  /** Whether only the value of one argument differs, in an exercise that asks for that. */
  private boolean isOtherValue(Statement asked, Statement given) {
    List<String> was = new ArrayList<>(asked.words());
    List<String> is = new ArrayList<>(given.words());
    given.words().forEach(was::remove);
    asked.words().forEach(is::remove);
    return exercise.gaps().isEmpty()
        && !FIXED.contains(asked.verb())
        && was.size() == 1
        && is.size() == 1
        && was.get(0).replaceFirst("=.*", "").equals(is.get(0).replaceFirst("=.*", ""));
  }

  private void add(int gap, Statement statement) {
    if (gap < 0) {
      ignored.add("line " + statement.line() + " does not count: " + statement.text());
    } else if (!statement.verb().equals(Statement.GAP)) {
      changes.computeIfAbsent(gap, none -> new ArrayList<>()).add(statement);
    }
  }

  /** Statements that fill a gap; empty if it is not filled. */
  List<Statement> filling(int index) {
    List<Statement> statements = changes.getOrDefault(index, List.of());
    return statements.stream().anyMatch(Statement::isGap) ? List.of() : statements;
  }

  /** Whether the file contains at least half of the exercise. */
  boolean isToTheExercise() {
    return found * 2 >= exercise.statements().size() - exercise.gaps().size();
  }
}
