// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One command of a scenario.
 *
 * @param line number of its first line, from 1
 * @param words of the command; quoted text is one word, with its quotation marks
 */
public record Statement(int line, String text, List<String> words) {
  /** Placeholder that a reader has to replace. */
  public static final String GAP = "???";

  private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|[^\\s\"]++)++");

  /** Parses a block: an indented line continues the one before it, # begins a comment. */
  public static List<Statement> of(String file, List<String> lines, int firstLine) {
    List<Statement> statements = new ArrayList<>();
    StringBuilder begun = new StringBuilder();
    int begunLine = firstLine;
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i).strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      if (lines.get(i).startsWith(" ")) {
        if (begun.isEmpty()) {
          throw ScenarioException.at(
              file, firstLine + i, "the line is indented, but there is none that it continues");
        }
        begun.append(' ').append(text);
        continue;
      }
      addTo(statements, begunLine, begun);
      begunLine = firstLine + i;
      begun.append(text);
    }
    addTo(statements, begunLine, begun);
    statements.forEach(statement -> statement.checkQuotationMarks(file));
    return statements;
  }

  private static void addTo(List<Statement> statements, int line, StringBuilder text) {
    if (!text.isEmpty()) {
      statements.add(of(line, text.toString()));
      text.setLength(0);
    }
  }

  private void checkQuotationMarks(String file) {
    if (text.chars().filter(letter -> letter == '"').count() % 2 != 0) {
      throw ScenarioException.at(
          file,
          line,
          "the quotation mark at column " + (text.lastIndexOf('"') + 1) + " is not closed");
    }
  }

  private static Statement of(int line, String text) {
    List<String> words = new ArrayList<>();
    for (Matcher word = WORD.matcher(text); word.find(); ) {
      words.add(word.group());
    }
    return new Statement(line, text, words);
  }

  /** Whether the statement contains a placeholder. */
  public boolean isGap() {
    return text.contains(GAP);
  }

  public boolean isExpectation() {
    return verb().equals(ExpectStatements.VERB);
  }

  /** Task of a statement with a placeholder. */
  String task() {
    return text.startsWith(GAP) ? text.substring(GAP.length()).strip() : text;
  }

  /** Whether the statement runs the network. */
  boolean takesTime() {
    return verb().equals(RunStatements.VERB) || ExpectStatements.takesTime(this);
  }

  public String verb() {
    return words.get(0);
  }

  /** Words after the verb. */
  public List<String> arguments() {
    return words.subList(1, words.size());
  }

  /** Text after the verb. */
  String rest() {
    return text.substring(verb().length()).strip();
  }
}
