package io.queuepair.tools.scenario;

import java.util.List;
import java.util.function.Consumer;

/** Notices after each event what has changed. */
final class StageWatch {
  private final Stage stage;
  private final Consumer<Moment> watcher;
  private List<ObjectView> seen = List.of();
  private int line;

  StageWatch(Stage stage, Consumer<Moment> watcher) {
    this.stage = stage;
    this.watcher = watcher;
  }

  /** What takes time is told of when it begins, everything else when it is done. */
  void begin(Statement statement) {
    line = statement.line();
    if (takesTime(statement)) {
      tell(statement.text(), List.of(), stage.objects());
    }
  }

  private static boolean takesTime(Statement statement) {
    return statement.verb().equals(Running.VERB);
  }

  /** Called after each event of the network. */
  void event() {
    stage.reportStates();
    List<String> output = stage.transcript().takeFresh();
    List<ObjectView> objects = stage.objects();
    if (!output.isEmpty() || !objects.equals(seen)) {
      tell("", output, objects);
    }
  }

  void end(Statement statement) {
    if (takesTime(statement)) {
      event();
      return;
    }
    tell(statement.text(), stage.transcript().takeFresh(), stage.objects());
  }

  private void tell(String statement, List<String> output, List<ObjectView> objects) {
    seen = objects;
    watcher.accept(new Moment(line, stage.clock().nowNanos(), statement, output, objects));
  }
}
