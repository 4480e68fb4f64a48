// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.replay;

import java.util.regex.Pattern;

/**
 * Where a rule holds.
 *
 * @param kind which kind of condition
 * @param glob of {@link ConditionKind#CALL} and {@link ConditionKind#OWN} the operation, of {@link
 *     ConditionKind#SCENARIOS} the names
 * @param text what arguments hold, for {@link ConditionKind#CALL}, {@link ConditionKind#OWN} and
 *     {@link ConditionKind#WITH}
 */
record RuleCondition(ConditionKind kind, Pattern glob, Pattern text) {
  private static final Pattern NOTHING = Pattern.compile("");

  /** The kinds of conditions, which see. */
  enum ConditionKind {
    /** {@code *}: the rule holds anywhere. */
    ALWAYS,
    /** {@code after}: from the step of another difference on that has the same reason. */
    AFTER,
    /** {@code call OP TEXT}: behind a call, on any side. */
    CALL,
    /** {@code own OP TEXT}: behind a call of the same side. */
    OWN,
    /** {@code with TEXT}: at a call with such arguments. */
    WITH,
    /** Anything else: names of scenarios. */
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

  /** Whether the rule needs another difference before it. */
  boolean isConsequence() {
    return kind == ConditionKind.AFTER;
  }

  /** Whether it holds at a step; of a consequence, as far as the calls are concerned. */
  boolean holds(Scenario scenario, int step) {
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
      case SCENARIOS -> glob.matcher(scenario.name()).matches();
    };
  }

  private boolean hasText(Step call) {
    return text.matcher(call.args().toString()).find();
  }
}
