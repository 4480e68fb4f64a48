// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.baseline;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * What each end of a connection does with a datagram at least: one copy between the memory of the
 * application and that of the socket, and one CRC.
 */
final class PacketWork {
  private static final int MEMORY_BYTES = 1 << 20;

  /** Of the application: datagrams lie in it one after the other. */
  private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY_BYTES);

  private int at;
  private final CRC32 crc = new CRC32();

  /**
   * As a sender does.
   *
   * @param bytes of one datagram or several
   * @param datagramBytes of each but the last
   */
  void fill(ByteBuffer bytes, int datagramBytes) {
    for (int start = bytes.position(); start < bytes.limit(); start += datagramBytes) {
      int length = Math.min(datagramBytes, bytes.limit() - start);
      bytes.put(start, memory, next(length), length);
      check(bytes.slice(start, length));
    }
  }

  /** As a receiver does with a datagram. */
  void take(ByteBuffer datagram) {
    check(datagram.slice());
    memory.put(next(datagram.remaining()), datagram, datagram.position(), datagram.remaining());
  }

  private int next(int length) {
    int place = at + length <= MEMORY_BYTES ? at : 0;
    at = place + length;
    return place;
  }

  private void check(ByteBuffer datagram) {
    crc.reset();
    crc.update(datagram);
  }
}
