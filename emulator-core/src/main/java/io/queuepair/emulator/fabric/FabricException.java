// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;

/** Failure of a network; the message is one sentence for the user. */
public class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message one sentence for the user, naming the cause
   * @param cause exception of the system, or null
   */
  public FabricException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
