// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.site.StateFacts.Change;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Pages of the state explorer, one for each state and each type, and an index. */
final class StatePages {
  private static final String FOLDER = "states";
  private static final String LEGEND =
      "Each state and each arrow leads to its page. Solid arrows are asked for by"
          + " [`ibv_modify_qp`](../verbs/ibv_modify_qp.md); the words at them are the attributes"
          + " that are required. Dashed arrows happen by themselves. RESET and ERR can be asked"
          + " for in every state.";

  /** Type shown by default, that of most connections. */
  private static final QpType USUAL = QpType.RC;

  private final ScenarioIndex scenarios;
  private final StateFacts facts = new StateFacts();

  StatePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
  }

  List<PageText> pages(AttributePages attributes) {
    List<PageText> pages = new ArrayList<>(List.of(index()));
    facts.states().forEach(state -> pages.add(page(state)));
    TransitionTable.types().forEach(type -> pages.add(page(type)));
    pages.addAll(new TransitionPages(scenarios, facts, attributes).pages());
    return pages;
  }

  /** Links to the types; that of the current page is bold. */
  private static String types(Optional<QpType> here) {
    return TransitionTable.types().stream()
        .map(type -> here.equals(Optional.of(type)) ? "**" + type + "**" : StateLinks.linkTo(type))
        .collect(Collectors.joining(" \u00b7 ", "Type: ", ""));
  }

  private PageText index() {
    List<String> shown = List.of("ibv_post_send", "ibv_post_recv", "packets that arrive");
    PageText table = PageText.index(FOLDER).head("state", shown.get(0), shown.get(1), shown.get(2));
    for (QpState state : facts.states()) {
      List<String> cells = new ArrayList<>(List.of(StateLinks.linkTo(state)));
      facts.of(state).stream()
          .filter(fact -> shown.contains(fact.name()))
          .forEach(fact -> cells.add(fact.text()));
      table.row(cells.toArray());
    }
    return PageText.index(FOLDER)
        .add(
            ProjectFiles.read("states.md")
                .replace("@TYPES@", types(Optional.empty()))
                .replace("@PICTURE@", StateLinks.picture(USUAL))
                .replace("@LEGEND@", LEGEND)
                .replace("@STATES@", table.toString()));
  }

  private PageText page(QpState state) {
    PageText page =
        PageText.of(FOLDER, StateLinks.nameOf(state))
            .add("# ", state)
            .add(
                "State " + state + " of a queue pair: what can be posted in it, what its queues",
                " do, what becomes of packets, and how it is left.")
            .head("what", "in this state");
    facts.of(state).forEach(fact -> page.row(fact.name(), fact.text()));
    // RC queue pairs have no state SQE.
    QpType shown = state == QpState.SQE ? QpType.UC : USUAL;
    if (state == QpState.SQE) {
      page.add(
          "Only UC, UD and RAW_PACKET have this state: with RC and XRC a send that fails leads"
              + " to ERR.");
    }
    page.add(StateLinks.picture(shown, state));
    page.add("The picture is that of type ", shown, ". ", LEGEND);
    addWays(page.add("## Ways in"), change -> change.to() == state);
    addWays(page.add("## Ways out"), change -> change.from() == state);
    page.add("## Scenarios").add(scenarios.links(showing(state)));
    return page.add("[All states](README.md)");
  }

  /** Scenarios with a queue pair in a state, the one named after the state first. */
  private List<String> showing(QpState state) {
    String own = SitePaths.SCENARIOS + "state-" + StateLinks.nameOf(state) + ".md";
    List<String> shown = new ArrayList<>();
    for (QpType type : TransitionTable.types()) {
      shown.addAll(scenarios.covering(CoverageGroup.STATE, type + " " + state));
    }
    return scenarios.ordered(shown, own);
  }

  /** Adds a table of transitions between states, with the types that have each. */
  private void addWays(PageText page, Predicate<Change> wanted) {
    page.head("transition", "how", "types");
    for (List<Change> changes : facts.changesByStates()) {
      List<Change> ways =
          changes.stream().filter(change -> !change.isNever()).filter(wanted).toList();
      if (!ways.isEmpty()) {
        String types =
            ways.stream()
                .map(change -> change.link(change.type().name()))
                .collect(Collectors.joining(", "));
        page.row(ways.get(0).name(), how(ways.get(0)), types);
      }
    }
  }

  private static String how(Change change) {
    if (change.asked().isEmpty()) {
      return "by itself";
    }
    return change.isAutomatic() ? "asked for, or by itself" : "asked for";
  }

  private PageText page(QpType type) {
    PageText page =
        PageText.of(FOLDER, StateLinks.nameOf(type))
            .add("# States of type ", type)
            .add(
                "The states of queue pairs of type " + type + ", what leads from one to another,",
                " and which attributes that takes.")
            .add(types(Optional.of(type)))
            .add(StateLinks.picture(type))
            .add(LEGEND)
            .add("## Transitions")
            .head("transition", "how", "required", "allowed", "scenarios");
    for (Change change : facts.changes(type)) {
      page.row(
          change.link(change.name()),
          change.isNever() ? "never" : how(change),
          change.asked().map(transition -> StateFacts.names(transition.required())).orElse("-"),
          change.asked().map(transition -> StateFacts.names(transition.optional())).orElse("-"),
          scenarios.covering(CoverageGroup.TRANSITION, change.coverageName()).size());
    }
    return page.add("[All types and states](README.md)");
  }
}
