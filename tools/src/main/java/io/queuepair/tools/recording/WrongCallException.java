// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

/** A call, or an argument of one, is not known here; the message says which. */
public final class WrongCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongCallException(String reason) {
    super(reason);
  }
}
