// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** Something happened that must never happen. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String invariant;

  private Violation(String invariant, String message) {
    super(message);
    this.invariant = invariant;
  }

  /** {@return the complaint without what differs from case to case: it names the invariant} */
  public String invariant() {
    return invariant;
  }

  /** Complains unless something holds. */
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
