// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.scenario.ScenarioPlayer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Index of scenarios by what they show; built by running all of them. */
final class ScenarioIndex {
  private static final int LIMIT = 12;

  private final Map<String, ScenarioPlayer> runs = new LinkedHashMap<>();
  private final Map<CoverageGroup, Map<String, List<String>>> covering =
      new EnumMap<>(CoverageGroup.class);
  private Coverage all = new Coverage();

  /** Runs scenarios, given by their paths from the project's top folder. */
  ScenarioIndex(List<String> sources) {
    List<ScenarioPlayer> players = sources.parallelStream().map(ScenarioIndex::played).toList();
    for (int i = 0; i < players.size(); i++) {
      runs.put(sources.get(i), players.get(i));
      all = all.plus(players.get(i).coverage());
    }
    for (CoverageGroup group : CoverageGroup.values()) {
      covering.put(group, scenariosByItem(group));
    }
  }

  private static ScenarioPlayer played(String source) {
    return ScenarioPlayer.run(source, ProjectFiles.page(source).lines().toList());
  }

  private Map<String, List<String>> scenariosByItem(CoverageGroup group) {
    Map<String, List<String>> scenarios = new HashMap<>();
    runs.forEach(
        (source, player) ->
            player
                .coverage()
                .hits(group)
                .forEach(
                    (name, times) -> {
                      if (times > 0) {
                        scenarios.computeIfAbsent(name, item -> new ArrayList<>()).add(source);
                      }
                    }));
    return scenarios;
  }

  ScenarioPlayer run(String source) {
    return runs.get(source);
  }

  /** Reason why no device of a scenario can cover an item; empty if one can. */
  String neverReason(CoverageGroup group, String name) {
    return all.unreachable(group).getOrDefault(name, "");
  }

  /** Paths of the scenarios whose devices covered an item. */
  List<String> covering(CoverageGroup group, String name) {
    return covering.get(group).getOrDefault(name, List.of());
  }

  /** Sorts scenarios as in their list, without duplicates, but {@code first} before all others. */
  List<String> ordered(List<String> sources, String first) {
    List<String> ordered = new ArrayList<>(runs.keySet());
    ordered.retainAll(Set.copyOf(sources));
    if (ordered.remove(first)) {
      ordered.add(0, first);
    }
    return ordered;
  }

  /** Paths of the scenarios with a command that satisfies a predicate. */
  List<String> withCommand(Predicate<List<String>> test) {
    return runs.keySet().stream()
        .filter(source -> runs.get(source).commands().stream().anyMatch(test))
        .toList();
  }

  /** Markdown list of links to scenarios, for a page in another folder of the docs. */
  String links(List<String> sources) {
    if (sources.isEmpty()) {
      return "None of the scenarios shows it.";
    }
    StringBuilder list = new StringBuilder();
    for (String source : sources.subList(0, Math.min(LIMIT, sources.size()))) {
      list.append("- ").append(link(source)).append('\n');
    }
    if (sources.size() > LIMIT) {
      int more = sources.size() - LIMIT;
      list.append("\nand ").append(more).append(" more of [all runs](../scenarios/README.md).\n");
    }
    return list.toString();
  }

  /** Link to a scenario, from another folder of the docs. */
  String link(String source) {
    return "[" + runs.get(source).title() + "](../" + source.substring("docs/".length()) + ")";
  }
}
