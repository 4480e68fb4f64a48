// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.VerbsException;

/**
 * Failure of a simulation.
 *
 * @param step number of actions completed before
 * @param invariant violated rule; equal for failures of the same kind
 * @param text message for people
 */
public record SimulationFailure(int step, String invariant, String text) {
  /** Converts an exception: a violation, an unexpected refusal, or a failure in a device. */
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
