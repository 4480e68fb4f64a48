// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

/**
 * Thrown if an argument has a value without a constant in the typed API, such as the states 7 and
 * 100 of a C program. The call is not made; its result is EINVAL, as that of a device.
 */
public final class UnmappedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnmappedValueException(String what) {
    super(what);
  }
}
