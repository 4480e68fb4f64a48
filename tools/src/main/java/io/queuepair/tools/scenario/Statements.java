// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.tools.cli.Suggestion;
import io.queuepair.tools.recording.RecordedDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Table of all statements: verbs by their own names, and further statements for scenarios. */
final class Statements {
  /** Execution of a statement. */
  @FunctionalInterface
  private interface StatementAction {
    void carryOut(ScenarioEnvironment environment, StateRecorder recorder, List<String> arguments);
  }

  private static final Map<String, StatementAction> ACTIONS = actions();

  private Statements() {}

  private static Map<String, StatementAction> actions() {
    Map<String, StatementAction> actions = new LinkedHashMap<>();
    actions.put(
        DeviceStatements.VERB,
        (environment, recorder, words) -> DeviceStatements.device(environment, words));
    // FaultStatements adds faults before the run.
    actions.put(FaultStatements.VERB, (environment, recorder, words) -> {});
    actions.put(
        "connect", (environment, recorder, words) -> ConnectStatement.connect(environment, words));
    actions.put(
        "ready", (environment, recorder, words) -> ConnectStatement.ready(environment, words));
    actions.put(
        "fill", (environment, recorder, words) -> MemoryStatements.fill(environment, words));
    actions.put(
        "show", (environment, recorder, words) -> MemoryStatements.show(environment, words));
    actions.put(
        "port", (environment, recorder, words) -> DeviceStatements.port(environment, words));
    actions.put(RunStatements.VERB, RunStatements::run);
    actions.put(ExpectStatements.VERB, ExpectStatements::expect);
    actions.put(
        "poll_cq", (environment, recorder, words) -> QueryStatements.poll(environment, words));
    actions.put(
        "get_async_event",
        (environment, recorder, words) -> QueryStatements.events(environment, words));
    actions.put(
        "drops", (environment, recorder, words) -> QueryStatements.drops(environment, words));
    actions.put(
        "get_cq_event",
        (environment, recorder, words) -> QueryStatements.completionEvent(environment, words));
    for (String verb : CmStatements.verbs()) {
      actions.put(
          verb, (environment, recorder, words) -> CmStatements.carryOut(environment, verb, words));
    }
    for (String verb : VerbSyntax.verbs()) {
      if (verb.startsWith("query_")) {
        actions.put(
            verb,
            (environment, recorder, words) -> QueryStatements.query(environment, verb, words));
      }
    }
    return actions;
  }

  static void carryOut(
      ScenarioEnvironment environment, StateRecorder recorder, Statement statement) {
    StatementAction action = ACTIONS.get(statement.verb());
    VerbSyntax syntax = VerbSyntax.of(statement.verb());
    if (action != null) {
      action.carryOut(environment, recorder, statement.arguments());
    } else if (syntax != null) {
      call(environment, statement, syntax);
    } else {
      Set<String> known = new TreeSet<>(ACTIONS.keySet());
      known.addAll(VerbSyntax.verbs());
      String name = statement.verb().replaceFirst("^ibv_", "");
      if (known.contains(name)) {
        throw new StatementException("it is written without ibv_: " + name);
      }
      throw new StatementException(
          "there is no such statement"
              + Suggestion.of(statement.verb(), known)
              + "; there are "
              + known);
    }
    environment.reportStates();
  }

  private static void call(
      ScenarioEnvironment environment, Statement statement, VerbSyntax syntax) {
    List<String> words = statement.arguments();
    if (words.isEmpty()) {
      throw new StatementException("what it is called on is missing, for example a.qp");
    }
    RecordedDevice device = environment.device(words.get(0));
    environment.call(
        statement.verb(), device, syntax.read(statement.verb(), device(words.get(0)), words));
    if (words.get(0).contains(".")) {
      environment.reportState(words.get(0));
    }
  }

  /** Device in the name of an object. */
  static String device(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** Refuses any other number of words. */
  static void expect(List<String> words, int count, String form) {
    if (words.size() != count) {
      throw new StatementException("it is written: " + form);
    }
  }

  /** Constant with a name; the error message for an unknown name lists all. */
  static <E extends Enum<E>> E constant(Class<E> type, String name, String what) {
    List<String> known = Stream.of(type.getEnumConstants()).map(E::name).toList();
    if (!known.contains(name)) {
      throw new StatementException(
          "'" + name + "' is " + what + Suggestion.of(name, known) + ": " + known);
    }
    return Enum.valueOf(type, name);
  }
}
