// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;

/** Receives the calls and network events of a simulation, in order. */
interface SimulationListener {
  SimulationListener NONE = new SimulationListener() {};

  /**
   * Called when a region is registered.
   *
   * @param name of the region, unique on its device
   * @param isFilled whether its bytes are {@link MemoryPool#FILL}; otherwise they are zero, or
   *     constant random bytes
   */
  default void registered(SimulatedHost host, String name, MemoryRegion region, boolean isFilled) {}

  default void created(SimulatedQp side) {}

  /** Called before both queue pairs of a connection are moved from RESET to RTS. */
  default void connecting(SimulatedQp even, SimulatedQp odd, int psn) {}

  /** Called before a queue pair that has stayed in RTR is moved to RTS. */
  default void sending(SimulatedQp side, int psn) {}

  /** Called before a queue pair is moved to a state that needs no attributes. */
  default void modifying(SimulatedQp side, QpState state) {}

  default void posting(SimulatedQp side, SendWr wr) {}

  default void posting(SimulatedQp side, RecvWr wr) {}

  default void writing(MemoryRegion region, int offset, byte[] bytes) {}

  /** Called before a slot is filled with its initial content. */
  default void wiping(MemoryRegion region, int offset, int bytes) {}

  /** Called after a poll that returned completions. */
  default void polled(SimulatedHost host, boolean ofSends) {}

  /** Called before the next event of the network. */
  default void event() {}

  /** Called before a run of the network for a given time. */
  default void waiting() {}

  /** Called after a run of the network that {@link #waiting} announced. */
  default void waited(long nanos) {}
}
