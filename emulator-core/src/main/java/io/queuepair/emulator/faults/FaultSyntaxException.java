// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

/** A text is not a {@link FaultPlan}: the message says where, what was found, what is allowed. */
public final class FaultSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  FaultSyntaxException(int line, int column, String what) {
    super("line " + line + ", column " + column + ": " + what);
  }
}
