// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Route;

/**
 * Path of a connection: route, port and P_Key.
 *
 * @param route addresses of the packets that leave
 * @param port port where packets leave, whose P_Key table applies
 * @param pkeyIndex index into the P_Key table
 */
public record NetworkPath(Route route, QpPort port, int pkeyIndex) {
  /** P_Key of the packets; changes with the P_Key table of the port. */
  public int pkey() {
    return port.pkey(pkeyIndex);
  }

  public NetworkPath withPkeyIndex(int index) {
    return new NetworkPath(route, port, index);
  }

  public boolean isOf(Packet packet) {
    return packet.route().source().equals(route.destination())
        && packet.route().destination().equals(route.source());
  }
}
