// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/** A statement cannot be understood; the caller knows where it stands. */
final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StatementException(String message) {
    super(message);
  }
}
