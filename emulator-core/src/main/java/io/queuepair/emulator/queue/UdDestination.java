// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.emulator.wire.Route;

/**
 * Destination of a datagram.
 *
 * @param route route to the receiver
 * @param domain protection domain of the address handle
 * @param qpn queue pair number of the receiver
 * @param qkey Q_Key in the DETH of the packet
 */
public record UdDestination(Route route, int domain, int qpn, int qkey) {}
