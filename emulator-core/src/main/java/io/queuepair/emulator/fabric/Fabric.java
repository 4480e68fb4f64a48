// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.function.UnaryOperator;

/**
 * A network that devices attach to. It owns the time of its devices. Faults, captures and traces
 * decorate this interface.
 */
public interface Fabric extends AutoCloseable {
  /**
   * Time, timers, and who makes progress.
   *
   * @return the same scheduler at every call
   */
  Scheduler scheduler();

  /**
   * Attaches a device under an address. The station may be called before this method returns.
   *
   * @param address the device's own address; datagrams for UDP port 4791 of it are received
   * @param station what receives
   * @return the way out, to be closed by the device
   * @throws FabricException if the address is taken, is not one of this network, or none that a
   *     single device can have
   */
  Link attach(InetAddress address, Station station);

  /**
   * Puts something that watches where it sees what really travels: beneath what changes traffic on
   * purpose.
   *
   * @param observer decorates a network with what watches it
   * @return the network to attach devices to; closing it closes this one
   */
  default Fabric observed(UnaryOperator<Fabric> observer) {
    return observer.apply(this);
  }

  /** Detaches everything and stops; nothing is delivered afterwards. */
  @Override
  void close();
}
