// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import io.queuepair.tools.page.PageTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Page of documentation about replaying, which lists the accepted differences of the data file. */
final class AcceptedPage {
  private AcceptedPage() {}

  static List<String> lines() {
    List<String> rules = new ArrayList<>();
    AcceptedDifferences accepted = AcceptedDifferences.all();
    Map<String, List<AcceptedRule>> byReason = new LinkedHashMap<>();
    for (AcceptedRule rule : accepted.rules()) {
      byReason.computeIfAbsent(rule.reason(), none -> new ArrayList<>()).add(rule);
    }
    byReason.forEach((reason, all) -> rules.add(row(reason, all, accepted)));
    return PageTemplate.filled(AcceptedPage.class, "replay.md", Map.of("rules", rules));
  }

  private static String row(String reason, List<AcceptedRule> rules, AcceptedDifferences accepted) {
    Set<String> profiles = new TreeSet<>();
    Set<String> named = new TreeSet<>();
    for (AcceptedRule rule : rules) {
      profiles.add(rule.profile());
      named.addAll(rule.reasonsToNameScenarios());
    }
    List<String> cells =
        List.of(
            reason,
            String.join(", ", profiles),
            String.valueOf(rules.size()),
            accepted.reasons().get(reason) + named(named));
    return "| " + String.join(" | ", cells) + " |";
  }

  private static String named(Set<String> reasons) {
    return reasons.isEmpty() ? "" : " Only in named scenarios: " + String.join("; ", reasons) + ".";
  }
}
