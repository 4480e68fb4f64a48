// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/** A statement cannot be understood; the caller knows where it stands. */
final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Expectation that does not hold; empty if the statement expects nothing. */
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
