// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;
import java.util.function.Consumer;

/** Notices after each event what has changed. */
final class StateRecorder {
  private final ScenarioEnvironment environment;
  private final Consumer<TimelineStep> watcher;
  private List<ObjectView> seen = List.of();
  private int line;

  StateRecorder(ScenarioEnvironment environment, Consumer<TimelineStep> watcher) {
    this.environment = environment;
    this.watcher = watcher;
  }

  /** What takes time is reported when it begins, everything else when it is done. */
  void begin(Statement statement) {
    line = statement.line();
    if (takesTime(statement)) {
      tell(statement.text(), List.of(), environment.objects());
    }
  }

  private static boolean takesTime(Statement statement) {
    return statement.verb().equals(RunStatements.VERB) || ExpectStatements.takesTime(statement);
  }

  /** Called after each event of the network. */
  void event() {
    environment.reportStates();
    List<String> output = environment.transcript().takeFresh();
    List<ObjectView> objects = environment.objects();
    if (!output.isEmpty() || !objects.equals(seen)) {
      tell("", output, objects);
    }
  }

  void end(Statement statement) {
    if (takesTime(statement)) {
      event();
      return;
    }
    tell(statement.text(), environment.transcript().takeFresh(), environment.objects());
  }

  private void tell(String statement, List<String> output, List<ObjectView> objects) {
    seen = objects;
    watcher.accept(
        new TimelineStep(line, environment.clock().nowNanos(), statement, output, objects));
  }
}
