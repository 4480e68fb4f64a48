// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;

/** Device as its {@link Fabric} sees it. The fabric calls the methods holding no lock. */
public interface Station {
  /**
   * Receives traffic. The list, the bytes of bursts and the packets of envelopes are only lent for
   * the time of the call.
   *
   * @param traffic traffic that arrived together, in order
   */
  void receive(List<? extends Traffic> traffic);

  /**
   * Sends in a turn of the station whatever it has, until a link is not writable. The turn ends
   * with {@link Link#endTurn} of each link. Several threads may call this; the station sends in one
   * turn at a time.
   */
  void transmit();

  /**
   * Number of the queue pair of this device that is connected to a queue pair of another device.
   *
   * @param responder address of the other device
   * @param destQpn number of the queue pair there
   * @return the number; empty if there is none, or if this station does not tell
   */
  default OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return OptionalInt.empty();
  }
}
