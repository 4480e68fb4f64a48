// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;

/** A device as its {@link Fabric} sees it. The fabric calls it holding no lock. */
public interface Station {
  /**
   * Traffic arrived. The list, the bytes of bursts and the packets of deliveries are only lent for
   * the time of the call.
   *
   * @param traffic what arrived together, in order
   */
  void receive(List<? extends Traffic> traffic);

  /**
   * The station's turn to send on its links whatever it has, until one is not writable. It ends
   * with {@link Link#endTurn} of each. Several threads may call this; the station sends in one turn
   * at a time.
   */
  void transmit();

  /**
   * Which queue pair of this device is connected to a queue pair of another one.
   *
   * @param responder address of the other device
   * @param destQpn number of the queue pair there
   * @return its number; empty if there is none, or this station does not tell
   */
  default OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return OptionalInt.empty();
  }
}
