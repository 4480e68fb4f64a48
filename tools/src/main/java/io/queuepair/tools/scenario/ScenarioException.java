// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/** Thrown if a scenario cannot be parsed or run; the message names the place and the rule. */
final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final String unmet;

  private ScenarioException(String message, int line, String unmet) {
    super(message);
    this.line = line;
    this.unmet = unmet;
  }

  /** Expectation that does not hold; empty for another error. */
  String unmet() {
    return unmet;
  }

  ScenarioException because(String reason) {
    return new ScenarioException(getMessage() + "; " + reason, line, unmet);
  }

  /** Number of the line with the error, from 1. */
  int line() {
    return line;
  }

  static ScenarioException at(String file, int line, String message) {
    return at(file, line, message, "");
  }

  static ScenarioException at(String file, int line, String message, String unmet) {
    return new ScenarioException(file + ":" + line + ": " + message, line, unmet);
  }
}
