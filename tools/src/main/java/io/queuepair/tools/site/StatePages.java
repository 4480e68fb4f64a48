// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.site.StateFacts.Change;
import io.queuepair.tools.site.StateFacts.Fact;
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
    StringBuilder page = new StringBuilder("# States of a queue pair\n\n");
    page.append("The state machine of each type of queue pair, as a picture to click on, with a");
    page.append(" page for each state and each transition. Here it is that of type ");
    page.append(USUAL)
        .append(", which has all states but SQE.\n\n")
        .append(types(Optional.empty()));
    page.append("{PICTURE}\n\n").append(LEGEND).append("## States\n\n");
    page.append(
        "| state | ibv_post_send | ibv_post_recv | packets that arrive |\n|---|---|---|---|\n");
    for (QpState state : facts.states()) {
      page.append("| ").append(link(state));
      for (Fact fact : facts.of(state)) {
        if (List.of("ibv_post_send", "ibv_post_recv", "packets that arrive")
            .contains(fact.name())) {
          page.append(" | ").append(fact.text());
        }
      }
      page.append(" |\n");
    }
    page.append("\n## More\n\n");
    page.append("- [RESET to INIT](../reference/reset-to-init.md): port, P_Key, rights, Q_Key\n");
    page.append("- [Which states and transitions the scenarios show](coverage.md)\n");
    page.append("- [What INIT, RTR and RTS need](../tutorial/states-and-attributes.md)\n");
    page.append("- [Attributes](../attributes/README.md) of `ibv_modify_qp`\n");
    page.append("- [All transitions](../reference/qp-state-machine.md) as tables, and");
    page.append(" [what works in which state](../reference/state-behaviour.md)\n");
    LookUpPage index = LookUpPage.index(FOLDER, page.toString());
    return index.with(picture(USUAL, StateLinks.of(USUAL)));
  }

  private LookUpPage page(QpState state) {
    StringBuilder page = new StringBuilder("# " + state + "\n\n");
    page.append("State ").append(state).append(" of a queue pair: what can be posted in it, what");
    page.append(" its queues do, what becomes of packets, and how it is left.\n\n");
    page.append("| what | in this state |\n|---|---|\n");
    for (Fact fact : facts.of(state)) {
      page.append("| ").append(fact.name()).append(" | ").append(fact.text()).append(" |\n");
    }
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
        .with(picture(shown, StateLinks.at(shown, state)));
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
    StringBuilder table = new StringBuilder("| transition | how | types |\n|---|---|---|\n");
    for (QpState from : facts.states()) {
      for (QpState to : facts.states()) {
        List<Change> changes =
            TransitionTable.types().stream()
                .flatMap(type -> facts.changes(type).stream())
                .filter(change -> change.from() == from && change.to() == to && !change.isNever())
                .filter(wanted)
                .toList();
        if (!changes.isEmpty()) {
          table.append("| ").append(changes.get(0).name()).append(" | ");
          table.append(how(changes.get(0))).append(" | ");
          table.append(
              changes.stream()
                  .map(change -> change.link(change.type().name()))
                  .collect(Collectors.joining(", ")));
          table.append(" |\n");
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
    page.append("| transition | how | required | allowed | scenarios |\n|---|---|---|---|---|\n");
    for (Change change : facts.changes(type)) {
      page.append("| ").append(change.link(change.name())).append(" | ");
      page.append(change.isNever() ? "never" : how(change)).append(" | ");
      page.append(change.asked().map(row -> names(row.required())).orElse("-")).append(" | ");
      page.append(change.asked().map(row -> names(row.optional())).orElse("-")).append(" | ");
      int count = scenarios.covering(CoverageGroup.TRANSITION, change.coverageName()).size();
      page.append(count).append(" |\n");
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
      StateLinks links = new StateLinks(type, new CoverageView(scenarios.coverage(), type));
      pictures.put(type.name(), StatePicture.inPage(StateFacts.TABLE, type, links));
    }
    page.append("\n[All types and states](README.md)\n");
    return LookUpPage.of(FOLDER, "coverage", page.toString()).with(pictures);
  }

  private static String names(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(", "));
  }
}
