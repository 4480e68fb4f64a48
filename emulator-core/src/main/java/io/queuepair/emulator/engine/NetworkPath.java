// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Route;

/**
 * A path of a connection: route, port and P_Key.
 *
 * @param route addresses of the packets that leave
 * @param port where they leave, and whose P_Key table counts
 * @param pkeyIndex slot of the table
 */
public record NetworkPath(Route route, QpPort port, int pkeyIndex) {
  /** P_Key of the packets, which may change. */
  public int pkey() {
    return port.pkey(pkeyIndex);
  }

  /** A copy with the P_Key of another slot. */
  public NetworkPath withPkeyIndex(int index) {
    return new NetworkPath(route, port, index);
  }

  /** Whether a packet came this way. */
  public boolean isOf(Packet packet) {
    return packet.route().source().equals(route.destination())
        && packet.route().destination().equals(route.source());
  }
}
