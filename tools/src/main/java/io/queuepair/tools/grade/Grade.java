// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import java.util.ArrayList;
import java.util.List;

/**
 * What a file has earned; with {@code --json} an object of these names.
 *
 * @param file its name
 * @param points how many gaps are right
 * @param of how many there are
 * @param error why it could not be graded; empty if it was
 * @param gaps a result for each gap, in their order
 * @param ignored what of the file does not count, in sentences
 */
public record Grade(
    String file, int points, int of, String error, List<Gap> gaps, List<String> ignored) {
  /**
   * Result for a gap.
   *
   * @param line where it is filled in; 0 if it is not
   * @param task the line of the exercise
   * @param why it is wrong, in one sentence that does not say what is right; empty if it is right
   * @param hints of the author; none if it is right
   */
  public record Gap(int line, String task, String why, List<String> hints) {}

  /** A summary, then what is wrong and what does not count. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    String end = error.isEmpty() ? "" : ": " + error;
    sentences.add(file + ": " + points + " of " + of + end);
    for (Gap gap : gaps) {
      if (!gap.why().isEmpty()) {
        String place = gap.line() == 0 ? "  " : "  line " + gap.line() + ", ";
        sentences.add(place + gap.task() + ": " + gap.why());
      }
      gap.hints().forEach(hint -> sentences.add("    hint: " + hint));
    }
    ignored.forEach(sentence -> sentences.add("  " + sentence));
    return sentences;
  }
}
