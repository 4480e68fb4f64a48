package io.queuepair.tools.scenario;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.tools.calls.InexpressibleException;
import io.queuepair.tools.calls.MissingObjectException;
import io.queuepair.tools.calls.WrongCallException;
import io.queuepair.verbs.VerbsException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One run of a scenario.
 *
 * @param lines what it printed
 * @param hosts the names of hosts, as packets have them
 * @param coverage what its devices came across
 */
record Performance(List<String> lines, List<String> hosts, Coverage coverage) {
  /**
   * Runs a scenario.
   *
   * @param file what to run
   * @param watcher is told of every statement, and of every event that changes something
   * @param around decorates the network
   * @throws ScenarioException if a statement cannot be understood or carried out
   */
  static Performance of(ScenarioFile file, Consumer<Moment> watcher, UnaryOperator<Fabric> around) {
    try (Stage stage = new Stage(PlannedFaults.of(file), around)) {
      StageWatch watch = new StageWatch(stage, watcher);
      for (Statement statement : file.statements()) {
        stage.transcript().begin(statement);
        watch.begin(statement);
        carryOut(file, stage, watch, statement);
        watch.end(statement);
      }
      return new Performance(stage.transcript().lines(), stage.hosts(), stage.coverage());
    }
  }

  private static void carryOut(
      ScenarioFile file, Stage stage, StageWatch watch, Statement statement) {
    try {
      Statements.carryOut(stage, watch, statement);
    } catch (StatementException
        | WrongCallException
        | InexpressibleException
        | MissingObjectException
        | FabricException
        | IllegalArgumentException
        | VerbsException wrong) {
      throw ScenarioException.at(
          file.path().toString(), statement.line(), statement.verb() + ": " + wrong.getMessage());
    }
  }
}
