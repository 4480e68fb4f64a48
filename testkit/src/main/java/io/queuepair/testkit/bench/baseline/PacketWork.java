// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.bench.baseline;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * What no receiver or sender of RoCEv2 can do without: one copy of each datagram between the memory
 * of the application and that of the socket, and one CRC over it.
 */
final class PacketWork {
  private final ByteBuffer memory;
  private final CRC32 crc = new CRC32();

  /**
   * Takes memory of an application.
   *
   * @param datagramBytes of the longest datagram
   */
  PacketWork(int datagramBytes) {
    memory = ByteBuffer.allocateDirect(datagramBytes);
  }

  /**
   * As a sender does.
   *
   * @param bytes of one datagram or several
   * @param datagramBytes of each but the last
   */
  void fill(ByteBuffer bytes, int datagramBytes) {
    for (int at = bytes.position(); at < bytes.limit(); at += datagramBytes) {
      int length = Math.min(datagramBytes, bytes.limit() - at);
      bytes.put(at, memory, 0, length);
      check(bytes.slice(at, length));
    }
  }

  /** As a receiver does with a datagram. */
  void take(ByteBuffer datagram) {
    check(datagram.slice());
    memory.put(0, datagram, datagram.position(), datagram.remaining());
  }

  private void check(ByteBuffer datagram) {
    crc.reset();
    crc.update(datagram);
  }
}
