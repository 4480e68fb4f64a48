package io.queuepair.emulator.qp;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Route;

/**
 * A way between the two ends of a connection.
 *
 * @param route addresses of the packets that leave
 * @param pkey P_Key of the packets
 */
public record Path(Route route, int pkey) {
  /** Whether a packet came this way. */
  public boolean isOf(Packet packet) {
    return packet.route().source().equals(route.destination())
        && packet.route().destination().equals(route.source());
  }
}
