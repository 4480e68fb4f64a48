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
 * @param recorded what was recorded, exactly
 * @param ours what the emulator answers, exactly
 */
record AcceptedRule(
    String profile,
    String reason,
    Pattern scenario,
    String step,
    Pattern op,
    Pattern field,
    String recorded,
    String ours) {
  private static final int COLUMNS = 8;

  /**
   * Reads a rule.
   *
   * @param columns profile, reason, scenario, step, op, field, recorded, ours
   * @return the rule
   */
  static AcceptedRule of(String[] columns) {
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
        columns[7]);
  }

  /** Globs have {@code *} and <code>{a,b}</code>; everything else stands for itself. */
  private static Pattern glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (char c : text.toCharArray()) {
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

  boolean isFor(String profileName) {
    return profile.equals("both") || profile.equals(profileName);
  }

  boolean isAbout(String scenarioName) {
    return scenario.matcher(scenarioName).matches();
  }

  boolean accepts(Difference difference) {
    return recorded.equals(difference.recorded())
        && ours.equals(difference.ours())
        && (step.equals("*") || step.equals(String.valueOf(difference.step())))
        && isAbout(difference.scenario())
        && op.matcher(difference.op()).matches()
        && field.matcher(difference.field()).matches();
  }
}
