// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

/** Thrown if a call names an object that the emulated device does not have. */
public final class MissingObjectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MissingObjectException(String name) {
    super("no object " + name);
  }
}
