// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encoded datagrams for one destination: UDP payloads from BTH to ICRC. All have the same length,
 * except the last, which may be shorter.
 *
 * @param source address of the sender
 * @param sourcePort UDP source port, covered by the ICRC
 * @param destination address of the receiver
 * @param bytes datagrams, from position to limit
 * @param segmentBytes length of each datagram but the last, in bytes
 * @param note reason why the device sends them, for captures, or null; the peer does not get it
 */
public record DatagramBurst(
    InetAddress source,
    int sourcePort,
    InetAddress destination,
    ByteBuffer bytes,
    int segmentBytes,
    @Nullable String note)
    implements IpTraffic {
  /**
   * Creates a burst without a note.
   *
   * @param source address of the sender
   * @param sourcePort UDP source port, covered by the ICRC
   * @param destination address of the receiver
   * @param bytes datagrams, from position to limit
   * @param segmentBytes length of each datagram but the last, in bytes
   */
  public DatagramBurst(
      InetAddress source,
      int sourcePort,
      InetAddress destination,
      ByteBuffer bytes,
      int segmentBytes) {
    this(source, sourcePort, destination, bytes, segmentBytes, null);
  }
}
