// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;

/** Receives everything that a simulation does to its devices, in order. */
interface SimulationListener {
  /** Writes nothing down. */
  SimulationListener NONE = new SimulationListener() {};

  /**
   * A region was registered.
   *
   * @param name of the region, unique on its device
   * @param isFilled with {@link MemoryPool#FILL}, not with zeros or with bytes that never change
   */
  default void registered(SimulatedHost host, String name, MemoryRegion region, boolean isFilled) {}

  /** A queue pair was created. */
  default void created(SimulatedQp side) {}

  /** Both queue pairs of a connection go from RESET to RTS. */
  default void connecting(SimulatedQp even, SimulatedQp odd, int psn) {}

  /** A queue pair that has stayed in RTR goes to RTS. */
  default void sending(SimulatedQp side, int psn) {}

  /** A queue pair goes to a state that needs no attributes. */
  default void modifying(SimulatedQp side, QpState state) {}

  default void posting(SimulatedQp side, SendWr wr) {}

  default void posting(SimulatedQp side, RecvWr wr) {}

  default void writing(MemoryRegion region, int offset, byte[] bytes) {}

  /** The program makes a slot as it was in the beginning. */
  default void wiping(MemoryRegion region, int offset, int bytes) {}

  /** The program found completions. */
  default void polled(SimulatedHost host, boolean ofSends) {}

  /** The next event of the network happens. */
  default void event() {}

  /** A time begins in which the program only looks. */
  default void waiting() {}

  /** The time of {@link #waiting} is over. */
  default void waited(long nanos) {}
}
