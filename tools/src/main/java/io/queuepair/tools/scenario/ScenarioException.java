package io.queuepair.tools.scenario;

import io.queuepair.tools.cli.FailureLine;
import java.io.IOException;
import java.nio.file.Path;

/** A scenario cannot be read or run as it is; the message names the place and what is allowed. */
final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private ScenarioException(String message) {
    super(message);
  }

  static ScenarioException unreadable(Path file, IOException trouble) {
    return new ScenarioException(file + " cannot be read: " + FailureLine.why(trouble));
  }

  static ScenarioException at(String file, int line, String message) {
    return new ScenarioException(file + ":" + line + ": " + message);
  }
}
