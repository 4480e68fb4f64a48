package io.queuepair.tools.workload;

/** Something happened that must never happen. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String message) {
    super(message);
  }

  /**
   * Complains unless something holds.
   *
   * @param holds whether it does
   * @param format what is wrong otherwise
   * @param arguments of the format
   */
  @SuppressWarnings("AnnotateFormatMethod") // The annotation would be another dependency.
  public static void unless(boolean holds, String format, Object... arguments) {
    if (!holds) {
      throw new Violation(format.formatted(arguments));
    }
  }
}
