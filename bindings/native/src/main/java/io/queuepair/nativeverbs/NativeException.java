// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/**
 * A program cannot be run on the emulated device, for a reason that its user can mend: one line.
 */
public final class NativeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param message one line: what is missing, and what to do about it
   */
  public NativeException(String message) {
    super(message);
  }

  /**
   * Creates the failure.
   *
   * @param message one line: what is missing, and what to do about it
   * @param cause what it follows from
   */
  public NativeException(String message, Throwable cause) {
    super(message, cause);
  }
}
