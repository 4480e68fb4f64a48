// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** Thrown if an invariant does not hold. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String invariant;

  private Violation(String invariant, String message) {
    super(message);
    this.invariant = invariant;
  }

  /** {@return the message format without its arguments, which identifies the invariant} */
  public String invariant() {
    return invariant;
  }

  @SuppressWarnings("AnnotateFormatMethod") // The annotation would be another dependency.
  public static void unless(boolean holds, String format, Object... arguments) {
    if (!holds) {
      throw of(format, arguments);
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // The annotation would be another dependency.
  static Violation of(String format, Object... arguments) {
    return new Violation(format, format.formatted(arguments));
  }
}
