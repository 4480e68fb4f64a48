// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A simulation as data: everything on which its outcome depends.
 *
 * @param <T> its own type
 */
public interface TestCase<T extends TestCase<T>> {
  /** {@return the seed of the work, and of the faults} */
  long seed();

  /** {@return what goes wrong} */
  FaultPlan faults();

  /**
   * Replaces the faults.
   *
   * @param plan what goes wrong, whatever the seed of that plan
   * @return a changed copy
   */
  T withFaults(FaultPlan plan);

  /**
   * Drops the actions after a failure.
   *
   * @param step of the failure
   * @return a changed copy, or this one
   */
  T upTo(int step);

  /** {@return of how many parts the work consists} */
  int parts();

  /** {@return what it consists of, in a few words} */
  String size();

  /**
   * Runs the case.
   *
   * @param network decorates the network
   * @param look is shown the emulator in the end
   * @return what became of it
   */
  SimulationOutcome run(UnaryOperator<Fabric> network, Consumer<Emulator> look);

  /**
   * Runs it and writes down what happens.
   *
   * @param network decorates the network
   * @return what became of it, and how it can be had again
   */
  Recording record(UnaryOperator<Fabric> network);

  /**
   * Runs it on a decorated network.
   *
   * @param network decorates the network
   * @return what became of it
   */
  default SimulationOutcome run(UnaryOperator<Fabric> network) {
    return run(network, emulator -> {});
  }

  /** {@return what becomes of it on an ordinary network} */
  default SimulationOutcome run() {
    return run(UnaryOperator.identity());
  }

  /**
   * A number with what it counts.
   *
   * @param count how many
   * @param what they are, in the singular
   * @return for example 2 faults
   */
  static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
