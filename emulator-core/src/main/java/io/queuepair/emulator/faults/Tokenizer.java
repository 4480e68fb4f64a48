// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a plan into words and symbols. */
final class Tokenizer {
  private static final Pattern TOKEN =
      Pattern.compile("(?<skip>[ \\t\\r]+|#[^\\n]*)|\\n|!=|<=|>=|[;,=<>!]|[^\\s;,=<>!#]+");

  private static final String SEMICOLON = ";";

  private final List<Token> tokens = new ArrayList<>();
  private int next;

  /** A word or symbol; a line break becomes a semicolon, and the end of the plan an empty text. */
  private record Token(String text, int line, int column) {}

  Tokenizer(String text) {
    int line = 1;
    int lineStart = 0;
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      if (matcher.group("skip") != null) {
        continue;
      }
      int column = matcher.start() - lineStart + 1;
      if (matcher.group().equals("\n")) {
        tokens.add(new Token(SEMICOLON, line, column));
        line++;
        lineStart = matcher.end();
      } else {
        tokens.add(new Token(matcher.group(), line, column));
      }
    }
    tokens.add(new Token("", line, text.length() - lineStart + 1));
  }

  private Token token() {
    return tokens.get(next);
  }

  boolean isAtEnd() {
    return token().text().isEmpty();
  }

  boolean isAtEndOfStatement() {
    return isAtEnd() || token().text().equals(SEMICOLON);
  }

  void skipSeparators() {
    while (!isAtEnd() && isAtEndOfStatement()) {
      next++;
    }
  }

  /** The present word, in lower case. */
  String word() {
    return token().text().toLowerCase(Locale.ROOT);
  }

  /** The present word as it was written. */
  String exact() {
    return token().text();
  }

  void advance() {
    next++;
  }

  /** Moves to the next word if the present one is as expected. */
  boolean accept(String expected) {
    boolean isThere = word().equals(expected);
    if (isThere) {
      advance();
    }
    return isThere;
  }

  /** Exception at the present word, which lists what is allowed there. */
  FaultSyntaxException unexpected(String allowed) {
    return wrong("found " + found() + ", allowed here: " + allowed);
  }

  /** Exception at the position of the present word. */
  FaultSyntaxException wrong(String what) {
    return new FaultSyntaxException(token().line(), token().column(), what);
  }

  private String found() {
    if (isAtEnd()) {
      return "the end of the plan";
    }
    return isAtEndOfStatement() ? "the end of the statement" : '"' + token().text() + '"';
  }
}
