// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.VerbsException;

/**
 * What went wrong in a simulation.
 *
 * @param step how many actions were over by then
 * @param invariant what does not hold: the same for failures of the same kind
 * @param text the step and what was wrong, for people
 */
public record SimulationFailure(int step, String invariant, String text) {
  /**
   * An invariant does not hold.
   *
   * @param violation what was wrong
   * @param step how many actions were over by then
   * @param when that for people
   * @return the failure
   */
  public static SimulationFailure of(Violation violation, int step, String when) {
    return new SimulationFailure(step, violation.invariant(), when + violation.getMessage());
  }

  /**
   * A call is refused that should succeed.
   *
   * @param refused what was wrong
   * @param step how many actions were over by then
   * @param when that for people
   * @return the failure
   */
  public static SimulationFailure of(VerbsException refused, int step, String when) {
    String invariant = refused.verb() + " is not refused with " + refused.errno();
    return new SimulationFailure(step, invariant, when + refused.getMessage());
  }

  /**
   * A device that breaks is a failure of its seed, not the end of all others.
   *
   * @param bug what was wrong
   * @param step how many actions were over by then
   * @param when that for people
   * @return the failure
   */
  public static SimulationFailure of(Throwable bug, int step, String when) {
    StackTraceElement[] stack = bug.getStackTrace();
    String where = stack.length > 0 ? " at " + stack[0] : "";
    return new SimulationFailure(step, bug.getClass().getName() + where, when + bug + where);
  }

  @Override
  public String toString() {
    return text;
  }
}
