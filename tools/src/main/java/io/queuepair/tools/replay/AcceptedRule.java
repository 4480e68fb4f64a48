package io.queuepair.tools.replay;

import java.util.regex.Pattern;

/**
 * Differences that are right, all for one reason.
 *
 * @param profile on which profile: its name, or {@code both}
 * @param reason key of the reason
 * @param scenario exact name or glob
 * @param step number of the step, or {@code *}
 * @param op the call, with its side; a glob
 * @param field what of its result; {@code [*]} stands for any index
 * @param recorded what was recorded; {@code ?} stands for one character, {@value #ROUNDED} for the
 *     size that Linux makes of ours
 * @param ours what the emulator answers; {@code ?} stands for one character
 * @param line the rule as it was written
 */
record AcceptedRule(
    String profile,
    String reason,
    Pattern scenario,
    String step,
    Pattern op,
    Pattern field,
    String recorded,
    String ours,
    String line) {
  /** A queue size that is rounded up. */
  static final String ROUNDED = "2^n-1";

  private static final int COLUMNS = 8;
  private static final String ANY = "*";

  /**
   * Reads a rule.
   *
   * @param line tab-separated: profile, reason, scenario, step, op, field, recorded, ours
   * @return the rule
   */
  static AcceptedRule of(String line) {
    String[] columns = line.split("\t", -1);
    if (columns.length != COLUMNS) {
      throw new IllegalArgumentException(
          "a rule has " + COLUMNS + " columns, not " + columns.length);
    }
    return new AcceptedRule(
        columns[0],
        columns[1],
        glob(columns[2]),
        columns[3],
        glob(columns[4]),
        glob(columns[5]),
        columns[6],
        columns[7],
        line);
  }

  /** Globs have {@code *} and <code>{a,b}</code>; everything else stands for itself. */
  private static Pattern glob(String text) {
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

  /** The scenarios as they were written. */
  String scenarioGlob() {
    return line.split("\t", -1)[2];
  }

  boolean isFor(String profileName) {
    return profile.equals("both") || profile.equals(profileName);
  }

  boolean isAbout(String scenarioName) {
    return scenario.matcher(scenarioName).matches();
  }

  boolean accepts(Difference difference) {
    return acceptsValues(difference.recorded(), difference.ours())
        && (step.equals(ANY) || step.equals(String.valueOf(difference.step())))
        && isAbout(difference.scenario())
        && op.matcher(difference.op()).matches()
        && field.matcher(difference.field()).matches();
  }

  private boolean acceptsValues(String theirs, String own) {
    if (recorded.equals(ROUNDED)) {
      return own.matches("[1-9][0-9]{0,8}") && theirs.equals(roundedUp(Integer.parseInt(own)));
    }
    return matches(recorded, theirs) && matches(ours, own);
  }

  private static String roundedUp(int size) {
    return String.valueOf(2L * Integer.highestOneBit(size) - 1);
  }

  private static boolean matches(String rule, String value) {
    if (rule.length() != value.length()) {
      return false;
    }
    for (int i = 0; i < rule.length(); i++) {
      if (rule.charAt(i) != '?' && rule.charAt(i) != value.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The rule as a line of the file. */
  @Override
  public String toString() {
    return line;
  }
}
