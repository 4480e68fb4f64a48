package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/**
 * One packet on its way inside the process, not encoded. What it holds is the emulator's own
 * affair.
 *
 * @param source address of the sender
 * @param destination address of the receiver
 * @param packet the packet, opaque outside of the emulator
 */
public record Delivery(InetAddress source, InetAddress destination, Object packet)
    implements RoutedTraffic {}
