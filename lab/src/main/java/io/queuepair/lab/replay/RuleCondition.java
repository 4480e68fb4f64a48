// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.util.regex.Pattern;

/**
 * Condition on the scenario and the step of a difference.
 *
 * @param glob names of scenarios for {@link ConditionKind#SCENARIOS}, otherwise the operation
 * @param text pattern that arguments, types or statuses must contain
 */
record RuleCondition(ConditionKind kind, Pattern glob, Pattern text) {
  private static final Pattern NOTHING = Pattern.compile("");

  /** Kinds of conditions, with their form in the file. */
  enum ConditionKind {
    /** {@code *}: always true. */
    ALWAYS,
    /** {@code after}: at or after the step of another difference with the same reason. */
    AFTER,
    /** {@code call OP TEXT}: after a call, on any side. */
    CALL,
    /** {@code own OP TEXT}: after a call of the same side. */
    OWN,
    /** {@code with TEXT}: at a call with matching arguments. */
    WITH,
    /** {@code of OP TYPES}: in a completion of work of a call OP, queue pair of one of TYPES. */
    OF,
    /** {@code late OP}: in a completion of work posted when the recorded queue pair was in ERR. */
    LATE,
    /** {@code done OP STATUS}: after a recorded completion of the same queue pair or memory. */
    DONE,
    /** Any other text: names of scenarios. */
    SCENARIOS
  }

  static RuleCondition of(String text) {
    String[] words = text.split(" ", 3);
    return switch (words[0]) {
      case "*" -> new RuleCondition(ConditionKind.ALWAYS, NOTHING, NOTHING);
      case "after" -> new RuleCondition(ConditionKind.AFTER, NOTHING, NOTHING);
      case "call" -> behind(ConditionKind.CALL, words);
      case "own" -> behind(ConditionKind.OWN, words);
      case "with" ->
          new RuleCondition(
              ConditionKind.WITH,
              NOTHING,
              AcceptedRule.textOrRegex(text.substring("with ".length())));
      case "of" -> behind(ConditionKind.OF, words);
      case "late" -> behind(ConditionKind.LATE, words);
      case "done" -> behind(ConditionKind.DONE, words);
      default -> new RuleCondition(ConditionKind.SCENARIOS, AcceptedRule.glob(text), NOTHING);
    };
  }

  private static RuleCondition behind(ConditionKind kind, String... words) {
    Pattern text = words.length < 3 ? NOTHING : AcceptedRule.textOrRegex(words[2]);
    return new RuleCondition(kind, AcceptedRule.glob(words[1]), text);
  }

  boolean namesScenarios() {
    return kind == ConditionKind.SCENARIOS;
  }

  /** Whether the rule needs an earlier difference. */
  boolean isConsequence() {
    return kind == ConditionKind.AFTER;
  }

  /** Whether it holds for a difference; the caller checks the cause for {@code after}. */
  boolean holds(Scenario scenario, Difference difference) {
    int step = difference.step();
    QueuePairUse use = new QueuePairUse(scenario);
    return switch (kind) {
      case ALWAYS, AFTER -> true;
      case CALL ->
          scenario.steps().subList(0, step + 1).stream()
              .anyMatch(call -> glob.matcher(call.call()).matches() && hasText(call));
      case OWN ->
          scenario.steps().subList(0, step + 1).stream()
              .filter(call -> call.side().equals(scenario.steps().get(step).side()))
              .anyMatch(call -> glob.matcher(call.op()).matches() && hasText(call));
      case WITH -> hasText(scenario.steps().get(step));
      case OF -> use.isCompletionOf(difference, glob, text);
      case LATE -> use.isOfWorkPostedInErr(difference, glob);
      case DONE -> use.isBehindCompletion(difference, glob, text);
      case SCENARIOS -> glob.matcher(scenario.name()).matches();
    };
  }

  private boolean hasText(Step call) {
    return text.matcher(call.args().toString()).find();
  }
}
