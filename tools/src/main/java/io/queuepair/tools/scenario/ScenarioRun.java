// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.testkit.recording.MissingObjectException;
import io.queuepair.testkit.recording.UnmappedValueException;
import io.queuepair.testkit.recording.WrongCallException;
import io.queuepair.verbs.VerbsException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One run of a scenario.
 *
 * @param lines what it printed
 * @param hosts the names of hosts, as packets have them
 * @param coverage what its devices covered
 */
record ScenarioRun(List<String> lines, List<String> hosts, Coverage coverage) {
  /**
   * Runs a scenario.
   *
   * @param file what to run
   * @param watcher receives every statement, and of every event that changes something
   * @param around decorates the network
   * @throws ScenarioException if a statement cannot be understood or carried out
   */
  static ScenarioRun of(
      ScenarioFile file, Consumer<TimelineStep> watcher, UnaryOperator<Fabric> around) {
    try (ScenarioEnvironment environment =
        new ScenarioEnvironment(FaultStatements.of(file), around)) {
      StateRecorder watch = new StateRecorder(environment, watcher);
      for (Statement statement : file.statements()) {
        environment.transcript().begin(statement);
        watch.begin(statement);
        carryOut(file, environment, watch, statement);
        watch.end(statement);
      }
      return new ScenarioRun(
          environment.transcript().lines(), environment.hosts(), environment.coverage());
    }
  }

  private static void carryOut(
      ScenarioFile file,
      ScenarioEnvironment environment,
      StateRecorder watch,
      Statement statement) {
    if (statement.isGap()) {
      throw ScenarioException.at(
          file.path().toString(),
          statement.line(),
          "something is to be filled in here: " + statement.task());
    }
    try {
      Statements.carryOut(environment, watch, statement);
    } catch (StatementException
        | WrongCallException
        | UnmappedValueException
        | MissingObjectException
        | FabricException
        | IllegalArgumentException
        | VerbsException wrong) {
      throw ScenarioException.at(
          file.path().toString(), statement.line(), statement.verb() + ": " + wrong.getMessage());
    }
  }
}
