// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

/**
 * An argument has a value for which a typed API has no constant, as the states 7 and 100 of a
 * program in C. The call is answered as the device would have to, EINVAL, without being made.
 */
public final class UnmappedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnmappedValueException(String what) {
    super(what);
  }
}
