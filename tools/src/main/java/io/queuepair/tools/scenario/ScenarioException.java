// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/**
 * A scenario cannot be understood or run as it is; the message names the place and what is allowed.
 */
final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;

  private ScenarioException(String message, int line) {
    super(message);
    this.line = line;
  }

  /** Number of the wrong line, from 1. */
  int line() {
    return line;
  }

  static ScenarioException at(String file, int line, String message) {
    return new ScenarioException(file + ":" + line + ": " + message, line);
  }
}
