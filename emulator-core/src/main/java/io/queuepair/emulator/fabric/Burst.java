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
 * @param note why the device sends each of them, for captures, or null; it stays on this side
 */
public record Burst(
    InetAddress source,
    int sourcePort,
    InetAddress destination,
    ByteBuffer bytes,
    int segmentBytes,
    String note)
    implements RoutedTraffic {
  /**
   * A burst that there is nothing to say about.
   *
   * @param source address of the sender
   * @param sourcePort UDP source port, covered by the ICRC
   * @param destination address of the receiver
   * @param bytes the datagrams, from position to limit
   * @param segmentBytes bytes of each datagram but the last
   */
  public Burst(
      InetAddress source,
      int sourcePort,
      InetAddress destination,
      ByteBuffer bytes,
      int segmentBytes) {
    this(source, sourcePort, destination, bytes, segmentBytes, null);
  }
}
