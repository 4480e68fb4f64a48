// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;

/** A network failed; the message is one sentence for the user. */
public class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the refusal.
   *
   * @param message the fact, naming the culprit
   * @param cause what the system said, or null
   */
  public FabricException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
