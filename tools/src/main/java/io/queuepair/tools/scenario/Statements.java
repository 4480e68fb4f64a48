package io.queuepair.tools.scenario;

import io.queuepair.tools.calls.Party;
import io.queuepair.tools.cli.Suggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Every statement: verbs by their own names, and what else a scenario needs. */
final class Statements {
  /** How a statement is carried out. */
  @FunctionalInterface
  private interface Action {
    void carryOut(Stage stage, StageWatch watch, List<String> arguments);
  }

  private static final Map<String, Action> ACTIONS = actions();

  private Statements() {}

  private static Map<String, Action> actions() {
    Map<String, Action> actions = new LinkedHashMap<>();
    actions.put(Setup.VERB, (stage, watch, words) -> Setup.device(stage, words));
    // The network has the faults already; see PlannedFaults.
    actions.put(PlannedFaults.VERB, (stage, watch, words) -> {});
    actions.put("connect", (stage, watch, words) -> Connection.connect(stage, words));
    actions.put("ready", (stage, watch, words) -> Connection.ready(stage, words));
    actions.put("fill", (stage, watch, words) -> Contents.fill(stage, words));
    actions.put("show", (stage, watch, words) -> Contents.show(stage, words));
    actions.put("port", (stage, watch, words) -> Setup.port(stage, words));
    actions.put(Running.VERB, Running::run);
    actions.put("poll_cq", (stage, watch, words) -> Looking.poll(stage, words));
    actions.put("get_async_event", (stage, watch, words) -> Looking.events(stage, words));
    actions.put("drops", (stage, watch, words) -> Looking.drops(stage, words));
    actions.put("get_cq_event", (stage, watch, words) -> Looking.completionEvent(stage, words));
    for (String verb : VerbForm.verbs()) {
      if (verb.startsWith("query_")) {
        actions.put(verb, (stage, watch, words) -> Looking.query(stage, verb, words));
      }
    }
    return actions;
  }

  /**
   * Carries a statement out.
   *
   * @throws StatementException if it cannot be understood
   */
  static void carryOut(Stage stage, StageWatch watch, Statement statement) {
    Action action = ACTIONS.get(statement.verb());
    VerbForm form = VerbForm.of(statement.verb());
    if (action != null) {
      action.carryOut(stage, watch, statement.arguments());
    } else if (form != null) {
      call(stage, statement, form);
    } else {
      Set<String> known = new TreeSet<>(ACTIONS.keySet());
      known.addAll(VerbForm.verbs());
      throw new StatementException(
          "there is no such statement"
              + Suggestion.of(statement.verb(), known)
              + "; there are "
              + known);
    }
    stage.reportStates();
  }

  private static void call(Stage stage, Statement statement, VerbForm form) {
    List<String> words = statement.arguments();
    if (words.isEmpty()) {
      throw new StatementException("what it is called on is missing, for example a.qp");
    }
    Party party = stage.party(words.get(0));
    stage.call(statement.verb(), party, form.read(statement.verb(), device(words.get(0)), words));
  }

  /** The device that a name begins with. */
  static String device(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** Refuses anything but so many words. */
  static void expect(List<String> words, int count, String form) {
    if (words.size() != count) {
      throw new StatementException("it is written: " + form);
    }
  }
}
