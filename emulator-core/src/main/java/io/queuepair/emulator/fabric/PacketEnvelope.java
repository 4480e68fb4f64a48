// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import java.net.InetAddress;

/**
 * Packet in flight inside the process, not encoded.
 *
 * @param source address of the sender
 * @param destination address of the receiver
 * @param packet the packet, whose type is not exported: opaque outside of the emulator
 */
public record PacketEnvelope(InetAddress source, InetAddress destination, Packet packet)
    implements IpTraffic {}
