// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static io.queuepair.tools.site.LookUpPage.head;
import static io.queuepair.tools.site.LookUpPage.row;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.site.StateFacts.Change;
import io.queuepair.tools.states.StatePicture;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The explorer of states: a page for each state, each type, and what leads from one to another. */
final class StatePages {
  /** Where the picture of a page stands. */
  static final String PICTURE = "PICTURE";

  private static final String FOLDER = "states";
  private static final String LEGEND =
      "Each state and each arrow leads to its page. Solid arrows are asked for by"
          + " [`ibv_modify_qp`](../verbs/ibv_modify_qp.md); the words at them are the attributes"
          + " that are required. Dashed arrows happen by themselves. RESET and ERR can be asked"
          + " for in every state.\n\n";

  /** The type of most connections. */
  private static final QpType USUAL = QpType.RC;

  private final ScenarioIndex scenarios;
  private final StateFacts facts = new StateFacts();

  StatePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
  }

  List<LookUpPage> pages(AttributePages attributes) {
    List<LookUpPage> pages = new ArrayList<>();
    pages.add(index());
    facts.states().forEach(state -> pages.add(page(state)));
    for (QpType type : TransitionTable.types()) {
      pages.add(page(type));
    }
    pages.add(coverage());
    pages.addAll(new TransitionPages(scenarios, facts, attributes).pages());
    return pages;
  }

  /** A picture of one type, for a page that has a place for it. */
  static Map<String, String> picture(QpType type, StateLinks links) {
    return Map.of(PICTURE, StatePicture.inPage(StateFacts.TABLE, type, links));
  }

  /** The types as links, without that of the page. */
  private static String types(Optional<QpType> here) {
    return TransitionTable.types().stream()
        .map(
            type ->
                here.equals(Optional.of(type))
                    ? "**" + type + "**"
                    : "[" + type + "](" + StateLinks.nameOf(type) + ".md)")
        .collect(Collectors.joining(" \u00b7 ", "Type: ", "\n\n"));
  }

  private static String link(QpState state) {
    return "[" + state + "](" + StateLinks.nameOf(state) + ".md)";
  }

  private LookUpPage index() {
    List<String> shown = List.of("ibv_post_send", "ibv_post_recv", "packets that arrive");
    StringBuilder table =
        new StringBuilder(head("state", shown.get(0), shown.get(1), shown.get(2)));
    for (QpState state : facts.states()) {
      List<String> cells = new ArrayList<>(List.of(link(state)));
      facts.of(state).stream()
          .filter(fact -> shown.contains(fact.name()))
          .forEach(fact -> cells.add(fact.text()));
      table.append(row(cells.toArray()));
    }
    String page =
        ProjectFiles.read("states.md")
            .replace("@TYPES@", types(Optional.empty()) + "{PICTURE}\n\n" + LEGEND)
            .replace("@STATES@", table);
    return LookUpPage.index(FOLDER, page).with(picture(USUAL, StateLinks.of(USUAL)));
  }

  private LookUpPage page(QpState state) {
    StringBuilder page = new StringBuilder("# " + state + "\n\n");
    page.append("State ").append(state).append(" of a queue pair: what can be posted in it, what");
    page.append(" its queues do, what becomes of packets, and how it is left.\n\n");
    page.append(head("what", "in this state"));
    facts.of(state).forEach(fact -> page.append(row(fact.name(), fact.text())));
    if (state == QpState.SQE) {
      page.append(
          "\nOnly UC, UD and RAW_PACKET have this state: with RC and XRC a send that fails");
      page.append(" leads to ERR.\n");
    }
    // RC has no SQE.
    QpType shown = state == QpState.SQE ? QpType.UC : USUAL;
    page.append("\n{PICTURE}\n\nThe picture is that of type ").append(shown);
    page.append(". ").append(LEGEND);
    page.append("## Ways in\n\n").append(ways(change -> change.to() == state));
    page.append("\n## Ways out\n\n").append(ways(change -> change.from() == state));
    page.append("\n## Scenarios\n\n").append(scenarios.links(showing(state)));
    page.append("\n[All states](README.md)\n");
    return LookUpPage.of(FOLDER, StateLinks.nameOf(state), page.toString())
        .with(picture(shown, StateLinks.of(shown, state)));
  }

  /** Scenarios that have a queue pair of any type in a state, those named after it first. */
  private List<String> showing(QpState state) {
    String own = SitePaths.SCENARIOS + "state-" + StateLinks.nameOf(state) + ".md";
    List<String> shown = new ArrayList<>();
    for (QpType type : TransitionTable.types()) {
      shown.addAll(scenarios.covering(CoverageGroup.STATE, type + " " + state));
    }
    return scenarios.ordered(shown, own);
  }

  /** Transitions by their states, each with the types that have it. */
  private String ways(Predicate<Change> wanted) {
    StringBuilder table = new StringBuilder(head("transition", "how", "types"));
    for (QpState from : facts.states()) {
      for (QpState to : facts.states()) {
        List<Change> changes =
            TransitionTable.types().stream()
                .flatMap(type -> facts.changes(type).stream())
                .filter(change -> change.from() == from && change.to() == to && !change.isNever())
                .filter(wanted)
                .toList();
        if (!changes.isEmpty()) {
          String types =
              changes.stream()
                  .map(change -> change.link(change.type().name()))
                  .collect(Collectors.joining(", "));
          table.append(row(changes.get(0).name(), how(changes.get(0)), types));
        }
      }
    }
    return table.toString();
  }

  private static String how(Change change) {
    if (change.asked().isEmpty()) {
      return "by itself";
    }
    return change.isAutomatic() ? "asked for, or by itself" : "asked for";
  }

  private LookUpPage page(QpType type) {
    StringBuilder page = new StringBuilder("# States of type " + type + "\n\n");
    page.append("The states of queue pairs of type ").append(type);
    page.append(", what leads from one to another, and which attributes that takes.\n\n");
    page.append(types(Optional.of(type))).append("{PICTURE}\n\n").append(LEGEND);
    page.append("## Transitions\n\n");
    page.append(head("transition", "how", "required", "allowed", "scenarios"));
    for (Change change : facts.changes(type)) {
      page.append(
          row(
              change.link(change.name()),
              change.isNever() ? "never" : how(change),
              change.asked().map(row -> names(row.required())).orElse("-"),
              change.asked().map(row -> names(row.optional())).orElse("-"),
              scenarios.covering(CoverageGroup.TRANSITION, change.coverageName()).size()));
    }
    page.append("\n[All types and states](README.md)\n");
    return LookUpPage.of(FOLDER, StateLinks.nameOf(type), page.toString())
        .with(picture(type, StateLinks.of(type)));
  }

  /** How often the scenarios come to each state and make each transition. */
  private LookUpPage coverage() {
    StringBuilder page = new StringBuilder("# Which states and transitions the scenarios show\n\n");
    page.append("How often queue pairs come into each state, and make each transition, in all");
    page.append(" scenarios together: numbers and shades on the state machine of each type.\n\n");
    page.append("Green has three shades: up to 9, up to 99, and more. What no scenario shows has");
    page.append(" a dashed border or a thin arrow, and the number 0. Transitions to RESET and ERR");
    page.append(" that a program asks for are in the lists of the types.\n");
    Map<String, String> pictures = new LinkedHashMap<>();
    for (QpType type : TransitionTable.types()) {
      page.append("\n## ").append(type).append("\n\n[States of type ").append(type).append("](");
      page.append(StateLinks.nameOf(type)).append(".md)\n\n{").append(type).append("}\n");
      StateLinks links =
          new StateLinks(type, new CoverageView(scenarios.coverage(), type), List.of());
      pictures.put(type.name(), StatePicture.inPage(StateFacts.TABLE, type, links));
    }
    page.append("\n[All types and states](README.md)\n");
    return LookUpPage.of(FOLDER, "coverage", page.toString()).with(pictures);
  }

  private static String names(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(", "));
  }
}
