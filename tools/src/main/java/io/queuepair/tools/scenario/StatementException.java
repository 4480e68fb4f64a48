// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/** Thrown if a statement cannot be executed; the caller adds its line number. */
final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Expectation that does not hold; empty for another error. */
  private final String unmet;

  StatementException(String message) {
    this(message, "");
  }

  StatementException(String message, String unmet) {
    super(message);
    this.unmet = unmet;
  }

  String unmet() {
    return unmet;
  }
}
