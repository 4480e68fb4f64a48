// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.VerbsException;

/**
 * Failure of a simulation.
 *
 * @param step how many actions were over by then
 * @param invariant what does not hold: the same for failures of the same kind
 */
public record SimulationFailure(int step, String invariant, String text) {
  /**
   * Makes a failure of its seed of what was thrown: an invariant does not hold, a call is refused
   * that should succeed, or a device breaks.
   */
  public static SimulationFailure of(Throwable thrown, int step, String when) {
    if (thrown instanceof Violation violation) {
      return new SimulationFailure(step, violation.invariant(), when + violation.getMessage());
    }
    if (thrown instanceof VerbsException refused) {
      String invariant = refused.verb() + " is not refused with " + refused.errno();
      return new SimulationFailure(step, invariant, when + refused.getMessage());
    }
    StackTraceElement[] stack = thrown.getStackTrace();
    String where = stack.length > 0 ? " at " + stack[0] : "";
    return new SimulationFailure(step, thrown.getClass().getName() + where, when + thrown + where);
  }

  @Override
  public String toString() {
    return text;
  }
}
