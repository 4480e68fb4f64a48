// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Accepts differences for one reason.
 *
 * @param isCause whether later differences of the same queue pair are accepted too
 * @param profile name of the device profile, or {@code both}
 * @param reason key of the reason
 * @param condition further condition on the scenario and the step
 * @param op glob of the call, with its side
 * @param field glob of the field of the result; {@code [*]} matches any index
 * @param recorded the recorded value; {@code ?} stands for one character, {@value #ROUNDED} for the
 *     size to which Linux rounds the emulator's, text between slashes is a regular expression
 * @param recordedValue the recorded value as a pattern
 * @param oursValue the value of the emulator, in the same form
 * @param line the rule as written in the file
 */
record AcceptedRule(
    boolean isCause,
    String profile,
    String reason,
    RuleCondition condition,
    Pattern op,
    Pattern field,
    String recorded,
    Pattern recordedValue,
    Pattern oursValue,
    String line) {
  /** Queue size rounded up to a power of two, minus one. */
  static final String ROUNDED = "2^n-1";

  /** Prefix of the line of a cause. */
  private static final String CAUSE = "cause\t";

  private static final int COLUMNS = 7;
  private static final int OP = 3;
  private static final int FIELD = 4;

  /** Alternatives in a glob, between braces. */
  private static final Pattern ALTERNATIVES = Pattern.compile("\\{([^{}]*)}");

  /**
   * Parses a line of the file. Each combination of alternatives of its call and its field is a rule
   * of its own, so that the report names alternatives that match nothing.
   */
  static List<AcceptedRule> allOf(String line) {
    List<AcceptedRule> rules = new ArrayList<>();
    String prefix = line.startsWith(CAUSE) ? CAUSE : "";
    String[] columns = line.substring(prefix.length()).split("\t", -1);
    if (columns.length <= FIELD) {
      return List.of(of(line));
    }
    List<String> fields = alternatives(columns[FIELD]);
    for (String op : alternatives(columns[OP])) {
      for (String field : fields) {
        columns[OP] = op;
        columns[FIELD] = field;
        rules.add(of(prefix + String.join("\t", columns)));
      }
    }
    return rules;
  }

  private static List<String> alternatives(String glob) {
    MatchResult found = ALTERNATIVES.matcher(glob).results().findFirst().orElse(null);
    if (found == null) {
      return List.of(glob);
    }
    List<String> all = new ArrayList<>();
    for (String one : found.group(1).split(",", -1)) {
      all.addAll(
          alternatives(glob.substring(0, found.start()) + one + glob.substring(found.end())));
    }
    return all;
  }

  /**
   * Parses a rule without alternatives.
   *
   * @param line tab-separated columns: profile, reason, condition, op, field, recorded, ours; then
   *     the reason to name scenarios, if the condition does; the line of a cause begins with {@code
   *     cause}
   */
  static AcceptedRule of(String line) {
    boolean isCause = line.startsWith(CAUSE);
    String[] columns = line.substring(isCause ? CAUSE.length() : 0).split("\t", -1);
    if (columns.length < COLUMNS) {
      throw new IllegalArgumentException(
          "a rule has " + COLUMNS + " columns, not " + columns.length + ": " + line);
    }
    RuleCondition condition = RuleCondition.of(columns[2]);
    int expected = condition.namesScenarios() ? COLUMNS + 1 : COLUMNS;
    if (columns.length != expected || columns[expected - 1].isBlank()) {
      throw new IllegalArgumentException(
          "a rule that names scenarios, and no other, says in an eighth column why: " + line);
    }
    return new AcceptedRule(
        isCause,
        columns[0],
        columns[1],
        condition,
        glob(columns[OP]),
        glob(columns[FIELD]),
        columns[5],
        value(columns[5]),
        value(columns[6]),
        line);
  }

  /** Converts a glob with {@code *} and <code>{a,b}</code>; all other characters are literal. */
  static Pattern glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      regex.append(
          switch (c) {
            case '*' -> ".*";
            case '{' -> "(?:";
            case '}' -> ")";
            case ',' -> "|";
            default -> Pattern.quote(String.valueOf(c));
          });
    }
    return Pattern.compile(regex.toString());
  }

  /** Converts literal text, or a regular expression between slashes. */
  static Pattern textOrRegex(String text) {
    boolean isRegex = text.length() > 2 && text.startsWith("/") && text.endsWith("/");
    return Pattern.compile(isRegex ? text.substring(1, text.length() - 1) : Pattern.quote(text));
  }

  private static Pattern value(String text) {
    return text.contains("?") && !text.startsWith("/")
        ? Pattern.compile(Pattern.quote(text).replace("?", "\\E.\\Q"))
        : textOrRegex(text);
  }

  /** Reason to name scenarios; empty if the condition names none. */
  List<String> reasonsToNameScenarios() {
    return condition.namesScenarios()
        ? List.of(line.substring(line.lastIndexOf('\t') + 1))
        : List.of();
  }

  boolean isFor(String profileName) {
    return profile.equals("both") || profile.equals(profileName);
  }

  /** Whether the rule accepts a difference; a consequence needs its cause, too. */
  boolean accepts(Difference difference, Scenario scenario) {
    return acceptsValues(difference.recorded(), difference.ours())
        && op.matcher(difference.op()).matches()
        && field.matcher(difference.field()).matches()
        && condition.holds(scenario, difference);
  }

  private boolean acceptsValues(String theirs, String own) {
    if (recorded.equals(ROUNDED)) {
      return own.matches("[1-9][0-9]{0,8}") && theirs.equals(roundedUp(Integer.parseInt(own)));
    }
    return recordedValue.matcher(theirs).matches() && oursValue.matcher(own).matches();
  }

  private static String roundedUp(int size) {
    return String.valueOf(2L * Integer.highestOneBit(size) - 1);
  }

  /** Returns the rule as a line of the file. */
  @Override
  public String toString() {
    return line;
  }
}
