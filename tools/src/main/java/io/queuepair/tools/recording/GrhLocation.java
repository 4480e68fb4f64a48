// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import java.util.ArrayList;
import java.util.List;

/**
 * Location of the 40 bytes in front of a datagram. If they hold an IPv4 header, its identification
 * and thus its checksum differ from run to run.
 *
 * @param offsets offset in the buffer of each of the 40 bytes, in order; fewer if the buffer is too
 *     short
 */
record GrhLocation(List<Integer> offsets) {
  private static final int AREA_BYTES = 40;

  /** Offset of the IPv4 header: with IPv4 the first half of the area is zero. */
  private static final int IPV4 = 20;

  private static final int IDENTIFICATION = IPV4 + 4;
  private static final int CHECKSUM = IPV4 + 10;
  private static final int VERSION_AND_LENGTH = 0x45;

  /** Location in a list of ranges of one buffer, each an offset and a length. */
  static GrhLocation in(List<int[]> ranges) {
    List<Integer> offsets = new ArrayList<>();
    for (int[] range : ranges) {
      for (int i = 0; i < range[1] && offsets.size() < AREA_BYTES; i++) {
        offsets.add(range[0] + i);
      }
    }
    return new GrhLocation(List.copyOf(offsets));
  }

  /**
   * Replaces the identification of an IPv4 header by that of another run.
   *
   * @param bytes part of the buffer, which is changed
   * @param start offset of that part
   * @param recorded the same part in the other run
   */
  void adopt(byte[] bytes, int start, byte[] recorded) {
    if (!isIpv4(bytes, start)) {
      return;
    }
    int identification = 0;
    for (int i = IDENTIFICATION; i < IDENTIFICATION + 2; i++) {
      identification = identification << 8 | Byte.toUnsignedInt(recorded[offsets.get(i) - start]);
    }
    // Linux computes no checksum for a packet to the same machine.
    boolean hasChecksum =
        recorded[offsets.get(CHECKSUM) - start] != 0
            || recorded[offsets.get(CHECKSUM + 1) - start] != 0;
    identify(bytes, start, identification, hasChecksum);
  }

  /** Sets the identification of an IPv4 header, and its checksum or 0. */
  void identify(byte[] bytes, int start, int identification, boolean hasChecksum) {
    put(bytes, start, IDENTIFICATION, identification);
    put(bytes, start, CHECKSUM, hasChecksum ? checksum(bytes, start) : 0);
  }

  private void put(byte[] bytes, int start, int at, int value) {
    bytes[offsets.get(at) - start] = (byte) (value >> 8);
    bytes[offsets.get(at + 1) - start] = (byte) value;
  }

  /** Whether a part of the buffer, from an offset on, has an IPv4 header at this place. */
  boolean isIpv4(byte[] bytes, int start) {
    if (offsets.size() != AREA_BYTES) {
      return false;
    }
    for (int i = 0; i < AREA_BYTES; i++) {
      int index = offsets.get(i) - start;
      if (index < 0 || index >= bytes.length || (i < IPV4 && bytes[index] != 0)) {
        return false;
      }
    }
    return bytes[offsets.get(IPV4) - start] == VERSION_AND_LENGTH;
  }

  private int checksum(byte[] bytes, int start) {
    int sum = 0;
    for (int i = IPV4; i < AREA_BYTES; i++) {
      boolean isChecksum = i == CHECKSUM || i == CHECKSUM + 1;
      int value = isChecksum ? 0 : Byte.toUnsignedInt(bytes[offsets.get(i) - start]);
      sum += i % 2 == 0 ? value << 8 : value;
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return ~sum & 0xffff;
  }
}
