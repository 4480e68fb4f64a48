package io.queuepair.tools.simulate;

/** Something happened that must never happen. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String message) {
    super(message);
  }

  @SuppressWarnings("AnnotateFormatMethod") // The annotation would be another dependency.
  static void unless(boolean holds, String format, Object... arguments) {
    if (!holds) {
      throw new Violation(format.formatted(arguments));
    }
  }
}
