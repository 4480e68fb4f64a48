// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.tools.recording.MissingObjectException;
import io.queuepair.tools.recording.UnmappedValueException;
import io.queuepair.tools.recording.WrongCallException;
import io.queuepair.verbs.VerbsException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One run of a scenario.
 *
 * @param failure error of the statement that ended the run early: it could not be executed, or its
 *     expectation does not hold
 * @param cause likely cause of the failure: the refusal of an earlier statement, or packets in
 *     flight; may be empty
 */
record ScenarioRun(
    List<String> lines,
    List<String> hosts,
    Coverage coverage,
    Optional<ScenarioException> failure,
    String cause) {
  /**
   * Runs a scenario.
   *
   * @param watcher receives a step for each statement and for each event that changes something
   */
  static ScenarioRun of(
      ScenarioFile file, Consumer<TimelineStep> watcher, UnaryOperator<Fabric> fabricWrapper) {
    try (ScenarioEnvironment environment =
        new ScenarioEnvironment(FaultStatements.of(file), fabricWrapper)) {
      StateRecorder recorder = new StateRecorder(environment, watcher);
      Optional<ScenarioException> failure = Optional.empty();
      for (Iterator<Statement> rest = file.statements().iterator();
          rest.hasNext() && failure.isEmpty(); ) {
        failure = carryOut(file, environment, recorder, rest.next());
      }
      return new ScenarioRun(
          environment.transcript.lines(),
          environment.hosts(),
          environment.coverage(),
          failure,
          environment.transcript.causeInWords());
    }
  }

  ScenarioRun orThrow() {
    if (failure.isPresent()) {
      throw failure.get();
    }
    return this;
  }

  private static Optional<ScenarioException> carryOut(
      ScenarioFile file,
      ScenarioEnvironment environment,
      StateRecorder recorder,
      Statement statement) {
    environment.transcript.begin(statement);
    recorder.begin(statement);
    try {
      if (statement.isGap()) {
        throw new StatementException("something is to be filled in here: " + statement.task());
      }
      Statements.carryOut(environment, recorder, statement);
    } catch (ScenarioException tooLong) {
      throw tooLong.because(environment.waiting());
    } catch (StatementException
        | WrongCallException
        | UnmappedValueException
        | MissingObjectException
        | FabricException
        | IllegalArgumentException
        | VerbsException wrong) {
      String reason = (statement.isGap() ? "" : statement.verb() + ": ") + wrong.getMessage();
      recorder.fail(statement, reason);
      String unmet = wrong instanceof StatementException exception ? exception.unmet() : "";
      return Optional.of(
          ScenarioException.at(file.path().toString(), statement.line(), reason, unmet));
    }
    recorder.end(statement);
    return Optional.empty();
  }
}
