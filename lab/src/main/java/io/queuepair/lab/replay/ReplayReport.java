// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts and prints the outcomes of a recording. */
final class ReplayReport {
  private final PrintWriter out;
  private final AcceptedDifferences accepted;
  private final Map<AcceptedRule, Integer> hits = new LinkedHashMap<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private int agreeing;
  private int differing;

  ReplayReport(PrintWriter out, AcceptedDifferences accepted) {
    this.out = out;
    this.accepted = accepted;
  }

  /** Counts one scenario, and prints the differences that no rule accepts. */
  void add(ReplayOutcome outcome) {
    names.add(outcome.scenario().name());
    if (outcome.isSkipped()) {
      skipped.add(outcome.scenario().name() + ": " + outcome.skipped());
      return;
    }
    Step last = outcome.lastOfRecorded();
    if (last != null) {
      ended.add(outcome.scenario().name() + " step " + last.number() + " " + last.call());
    }
    List<Difference> differences = outcome.differences();
    Map<Difference, AcceptedRule> ruleByDifference =
        accepted.rulesFor(outcome.scenario(), differences);
    ruleByDifference.values().forEach(rule -> hits.merge(rule, 1, Integer::sum));
    differences.stream()
        .filter(difference -> !ruleByDifference.containsKey(difference))
        .forEach(out::println);
    if (ruleByDifference.size() < differences.size()) {
      differing++;
    } else {
      agreeing++;
    }
  }

  /** Prints skipped scenarios, those that ended early, and accepted differences by rule. */
  void printSummary() {
    skipped.forEach(line -> out.println("skipped " + line));
    ended.forEach(line -> out.println("the recorded program ended in " + line));
    Map<String, Integer> byReason = new LinkedHashMap<>();
    hits.forEach((rule, count) -> byReason.merge(rule.reason(), count, Integer::sum));
    if (!byReason.isEmpty()) {
      out.println("accepted differences:");
    }
    byReason.forEach(
        (reason, count) -> {
          out.printf("%7d  %-24s %s%n", count, reason, accepted.reasons().get(reason));
          printRules(reason);
        });
  }

  private void printRules(String reason) {
    for (AcceptedRule rule : accepted.rules()) {
      if (rule.reason().equals(reason) && hits.containsKey(rule)) {
        out.printf("%7d    %s%n", hits.get(rule), rule.toString().replace("\t", "  "));
      }
    }
  }

  /** Prints rules that accepted nothing; false also if other scenarios were replayed. */
  boolean printIdleRules() {
    if (!accepted.isFor(names)) {
      return false;
    }
    boolean anyIdle = false;
    for (AcceptedRule rule : accepted.rules()) {
      if (!hits.containsKey(rule)) {
        out.println("rule without a hit: " + rule);
        anyIdle = true;
      }
    }
    return anyIdle;
  }

  void printCounts() {
    out.printf(
        "scenarios=%d agree=%d differ=%d skipped=%d%n",
        names.size(), agreeing, differing, skipped.size());
  }

  boolean differs() {
    return differing > 0;
  }
}
