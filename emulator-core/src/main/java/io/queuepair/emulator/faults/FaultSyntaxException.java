// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

/** A text is not a {@link FaultPlan}: the message says where, what was found, what is allowed. */
public final class FaultSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Counted from 1. */
  private final int line;

  /** Counted from 1. */
  private final int column;

  FaultSyntaxException(int line, int column, String what) {
    super("line " + line + ", column " + column + ": " + what);
    this.line = line;
    this.column = column;
  }

  /** {@return the line of the error, from 1} */
  public int line() {
    return line;
  }

  /** {@return the column where the error begins, from 1} */
  public int column() {
    return column;
  }
}
