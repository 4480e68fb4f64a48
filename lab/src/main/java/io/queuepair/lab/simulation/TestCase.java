// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A simulation as data: everything on which its outcome depends. */
public interface TestCase<T extends TestCase<T>> {
  /** {@return the seed of the work, and of the faults} */
  long seed();

  /** {@return what goes wrong} */
  FaultPlan faults();

  /** A copy with other faults, whatever the seed of that plan. */
  T withFaults(FaultPlan plan);

  /** A copy without the actions after a failure; this one if there are none. */
  T upTo(int step);

  /** {@return of how many parts the work consists} */
  int parts();

  /** {@return what it consists of, in a few words} */
  String size();

  /** Runs the case on a decorated network; the emulator is looked at in the end. */
  SimulationOutcome run(UnaryOperator<Fabric> network, Consumer<Emulator> look);

  /** Runs it on a decorated network and writes down what happens. */
  Recording record(UnaryOperator<Fabric> network);

  /** Runs it on a decorated network. */
  default SimulationOutcome run(UnaryOperator<Fabric> network) {
    return run(network, emulator -> {});
  }

  /** {@return what becomes of it on an ordinary network} */
  default SimulationOutcome run() {
    return run(UnaryOperator.identity());
  }

  /** A number with what it counts, such as {@code 2 faults}; given in the singular. */
  static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
