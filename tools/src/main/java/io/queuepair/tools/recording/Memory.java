// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import io.queuepair.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A registered buffer, and where in it headers of datagrams have been put. */
final class Memory {
  private static final int IDENTIFICATIONS = 1 << 16;

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
   * @param recorded the same bytes of the other run; null if they are not known
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

  /**
   * Reads bytes of which only a checksum is known of the other run. If they hold one IPv4 header,
   * it gets the identification with which they fit, if there is any.
   *
   * @param fits whether bytes are those of the other run
   */
  byte[] read(int offset, int length, Predicate<byte[]> fits) {
    byte[] copy = read(offset, length, (byte[]) null);
    List<GrhLocation> present =
        headers.stream().filter(header -> header.isIpv4(copy, offset)).toList();
    if (present.size() != 1 || fits.test(copy)) {
      return copy;
    }
    byte[] other = copy.clone();
    for (int candidate = 0; candidate < 2 * IDENTIFICATIONS; candidate++) {
      present
          .get(0)
          .identify(other, offset, candidate % IDENTIFICATIONS, candidate >= IDENTIFICATIONS);
      if (fits.test(other)) {
        return other;
      }
    }
    return copy;
  }

  /** Whether the buffer has these bytes. */
  boolean contains(long offset, long length) {
    return offset >= 0 && length >= 0 && offset + length <= bytes.capacity();
  }
}
