// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;

/** Refusal of a network whose address and port another socket has: it may be free later. */
public final class AddressInUseException extends FabricException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the refusal.
   *
   * @param message the fact, naming the culprit
   * @param cause what the system said, or null
   */
  public AddressInUseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
