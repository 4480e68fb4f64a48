// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

/** Thrown if a command fails for a reason that is no bug; the message is one line for the user. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
