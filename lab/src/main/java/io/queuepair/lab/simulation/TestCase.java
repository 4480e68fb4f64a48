// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Input of a simulation; equal test cases have equal outcomes. */
public interface TestCase<T extends TestCase<T>> {
  long seed();

  FaultPlan faults();

  /** Copy with another fault plan, whose seed is replaced by that of the test case. */
  T withFaults(FaultPlan plan);

  /** Copy without the actions after the failing one; the test case itself if there are none. */
  T upTo(int step);

  /** {@return the number of parts: actions or connections} */
  int parts();

  /** {@return the size of the work, in a few words} */
  String size();

  /** Runs the test case on a decorated network; the consumer inspects the emulator at the end. */
  SimulationOutcome run(UnaryOperator<Fabric> fabricWrapper, Consumer<Emulator> look);

  /** Runs the test case on a decorated network and records what happens. */
  Recording record(UnaryOperator<Fabric> fabricWrapper);

  default SimulationOutcome run(UnaryOperator<Fabric> fabricWrapper) {
    return run(fabricWrapper, emulator -> {});
  }

  default SimulationOutcome run() {
    return run(UnaryOperator.identity());
  }

  /** Number with a noun, such as {@code 2 faults}; the argument is in the singular. */
  static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
