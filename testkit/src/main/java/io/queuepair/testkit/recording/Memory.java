// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.recording;

import io.queuepair.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A registered buffer, and where in it headers of datagrams have been put. */
final class Memory {
  private final MemoryRegion region;
  private final ByteBuffer bytes;
  private final List<GrhLocation> headers = new ArrayList<>();

  Memory(MemoryRegion region, ByteBuffer bytes) {
    this.region = region;
    this.bytes = bytes.duplicate().clear();
  }

  MemoryRegion region() {
    return region;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  void addHeader(GrhLocation place) {
    headers.remove(place);
    headers.add(place);
  }

  /**
   * Reads bytes, with the IPv4 identifications of another run in the headers of datagrams.
   *
   * @param offset first byte
   * @param length how many
   * @param recorded the same bytes of the other run; null if they are not known
   * @return a copy
   */
  byte[] read(int offset, int length, byte[] recorded) {
    byte[] copy = new byte[length];
    bytes.get(offset, copy);
    if (recorded != null && recorded.length == length) {
      for (GrhLocation header : headers) {
        header.adopt(copy, offset, recorded);
      }
    }
    return copy;
  }

  /** Whether the buffer has these bytes. */
  boolean contains(long offset, long length) {
    return offset >= 0 && length >= 0 && offset + length <= bytes.capacity();
  }
}
