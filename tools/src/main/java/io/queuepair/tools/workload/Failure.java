package io.queuepair.tools.workload;

import io.queuepair.verbs.VerbsException;

/**
 * What went wrong in a simulation.
 *
 * @param step how many actions were over by then
 * @param invariant what does not hold: the same for failures of the same kind
 * @param text the step and what was wrong, for people
 */
public record Failure(int step, String invariant, String text) {
  static Failure of(Violation violation, int step, String when) {
    return new Failure(step, violation.invariant(), when + violation.getMessage());
  }

  static Failure of(VerbsException refused, int step, String when) {
    String invariant = refused.verb() + " is not refused with " + refused.errno();
    return new Failure(step, invariant, when + refused.getMessage());
  }

  /** A device that breaks is a failure of its seed, not the end of all others. */
  static Failure of(Throwable bug, int step, String when) {
    StackTraceElement[] stack = bug.getStackTrace();
    String where = stack.length > 0 ? " at " + stack[0] : "";
    return new Failure(step, bug.getClass().getName() + where, when + bug + where);
  }

  @Override
  public String toString() {
    return text;
  }
}
