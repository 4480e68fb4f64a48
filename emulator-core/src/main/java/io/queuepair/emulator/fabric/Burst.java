package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Encoded datagrams for one destination: UDP payloads from BTH to ICRC, one after the other, all of
 * the same length but for the last, which may be shorter.
 *
 * @param source address of the sender
 * @param sourcePort UDP source port, covered by the ICRC
 * @param destination address of the receiver
 * @param bytes the datagrams, from position to limit
 * @param segmentBytes bytes of each datagram but the last
 */
public record Burst(
    InetAddress source, int sourcePort, InetAddress destination, ByteBuffer bytes, int segmentBytes)
    implements RoutedTraffic {}
