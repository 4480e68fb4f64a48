// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import java.util.ArrayList;
import java.util.List;

/**
 * Result of grading a file; with {@code --json} an object with these names.
 *
 * @param file name of the file
 * @param points number of correct gaps
 * @param of number of gaps
 * @param error reason why the file could not be graded; empty if it was
 * @param gaps result of each gap, in order
 * @param ignored sentences about parts of the file that do not count
 */
public record Grade(
    String file, int points, int of, String error, List<Gap> gaps, List<String> ignored) {
  /**
   * Result of a gap.
   *
   * @param line number of the line that fills the gap; 0 if none does
   * @param task line of the exercise
   * @param why sentence on the error, which does not reveal the answer; empty if the gap is correct
   * @param hints hints of the author; none if the gap is correct
   */
  public record Gap(int line, String task, String why, List<String> hints) {}

  /** Sentences: a summary, then the errors and the parts that do not count. */
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
