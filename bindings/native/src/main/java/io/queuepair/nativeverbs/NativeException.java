// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** Thrown if a program cannot run on the emulated device; one line tells users what to fix. */
public final class NativeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message one line: what is missing, and what to do about it
   */
  public NativeException(String message) {
    super(message);
  }

  /**
   * Creates the exception.
   *
   * @param message one line: what is missing, and what to do about it
   * @param cause failure that led to this one
   */
  public NativeException(String message, Throwable cause) {
    super(message, cause);
  }
}
