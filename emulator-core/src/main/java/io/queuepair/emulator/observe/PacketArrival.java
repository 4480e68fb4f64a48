// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.net.InetAddress;

/**
 * The arrival of a packet at a host.
 *
 * @param packet its number in the {@link PacketTrace}, from 0
 * @param nanos time of arrival, by the scheduler of the network
 * @param host the address where it arrived
 * @param dropReason why the host dropped it; empty if the host accepted it
 */
public record PacketArrival(int packet, long nanos, InetAddress host, String dropReason) {}
