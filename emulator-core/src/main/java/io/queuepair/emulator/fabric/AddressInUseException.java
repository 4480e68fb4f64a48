// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;

/** Refusal of a network because another socket has the address and port; they may be free later. */
public final class AddressInUseException extends FabricException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message one sentence for the user, naming the cause
   * @param cause exception of the system, or null
   */
  public AddressInUseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
