// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

/** Thrown for an unknown call or argument, which the message names. */
public final class WrongCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongCallException(String reason) {
    super(reason);
  }
}
