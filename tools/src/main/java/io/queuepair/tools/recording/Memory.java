// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import io.queuepair.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A registered buffer, and the locations of datagram headers in it. */
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

  void addHeader(GrhLocation location) {
    headers.remove(location);
    headers.add(location);
  }

  /**
   * Reads bytes; in datagram headers, the IPv4 identifications are those of another run.
   *
   * @param recorded the same bytes of the other run; null if unknown
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
   * Reads bytes whose checksum in another run is known. If they contain one IPv4 header, its
   * identification is set to the value with which the checksum matches, if there is one.
   *
   * @param fits whether bytes equal those of the other run
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

  /** Whether a range lies within the buffer. */
  boolean contains(long offset, long length) {
    return offset >= 0 && length >= 0 && offset + length <= bytes.capacity();
  }
}
