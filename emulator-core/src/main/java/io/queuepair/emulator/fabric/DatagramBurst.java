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
 * @param bytes the datagrams, from position to limit
 * @param segmentBytes bytes of each datagram but the last
 * @param note why the device sends each of them, for captures, or null; it stays on this side
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
   * A burst that there is nothing to say about.
   *
   * @param source address of the sender
   * @param sourcePort UDP source port, covered by the ICRC
   * @param destination address of the receiver
   * @param bytes the datagrams, from position to limit
   * @param segmentBytes bytes of each datagram but the last
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
