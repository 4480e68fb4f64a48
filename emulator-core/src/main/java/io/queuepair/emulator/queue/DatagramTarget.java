package io.queuepair.emulator.queue;

import io.queuepair.emulator.wire.Route;

/**
 * Where a datagram goes.
 *
 * @param route the way there
 * @param domain protection domain of the address handle
 * @param qpn queue pair number of the receiver
 * @param qkey Q_Key that goes on the wire
 */
public record DatagramTarget(Route route, int domain, int qpn, int qkey) {}
