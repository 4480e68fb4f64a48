// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.grade.Grading;
import io.queuepair.tools.scenario.ScenarioPlayer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Process of one run: a scenario from standard input, its result to standard output. */
final class PlaygroundProcess {
  /** Exit code of a process that has run out of memory. */
  static final int OUT_OF_MEMORY = 3;

  private static final int MOST_STEPS = 1_000;
  private static final String ANSWER = "answer ";
  private static final int MOST_HINTS = 1;

  private PlaygroundProcess() {}

  public static void main(String[] args) throws IOException {
    String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    byte[] answer = {};
    try {
      answer = answer(text).json().getBytes(StandardCharsets.UTF_8);
    } catch (OutOfMemoryError full) {
      // Exhausted direct memory does not make the JVM exit.
      Runtime.getRuntime().halt(OUT_OF_MEMORY);
    }
    try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write(answer);
    }
  }

  /** Standard input of the process for an answer to an exercise. */
  static String answer(String exercise, String text) {
    return ANSWER + exercise + "\n" + text;
  }

  private static RunAnswer answer(String input) {
    boolean isAnswer = input.startsWith(ANSWER);
    String exercise = isAnswer ? input.substring(ANSWER.length(), input.indexOf('\n')) : "";
    String text = isAnswer ? input.substring(input.indexOf('\n') + 1) : input;
    List<String> lines = text.lines().toList();
    List<String> grade = List.of();
    try {
      if (isAnswer) {
        Grading grading = Grading.of(exercise, lines);
        grade = grading.grade("Your answer", MOST_HINTS).sentences();
        lines = grading.text();
      }
      ScenarioPlayer player = ScenarioPlayer.tried(lines, MOST_STEPS);
      String file = String.join("\n", player.recorded()) + "\n";
      String page = player.page(PlaygroundPage.around(exercise, text, player, grade));
      return new RunAnswer("", page, file);
    } catch (CommandFailure failure) {
      return RunAnswer.failed(failure.getMessage());
    }
  }
}
