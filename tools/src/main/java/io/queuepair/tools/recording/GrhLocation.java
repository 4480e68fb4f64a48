// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import java.util.ArrayList;
import java.util.List;

/**
 * Place of the 40 bytes in front of a datagram. If they hold an IPv4 header, its identification is
 * of one run only, and with it its checksum.
 *
 * @param offsets offset in the buffer of each of the 40 bytes, in order; fewer if there is no room
 */
record GrhLocation(List<Integer> offsets) {
  private static final int AREA_BYTES = 40;

  /** Over IPv4 the first half of the area is zero and the header is in the second. */
  private static final int IPV4 = 20;

  private static final int IDENTIFICATION = IPV4 + 4;
  private static final int CHECKSUM = IPV4 + 10;
  private static final int VERSION_AND_LENGTH = 0x45;

  /** The place in a list of ranges of one buffer, each an offset and a length. */
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
   * Gives an IPv4 header the identification of another run.
   *
   * @param bytes part of the buffer, from an offset on; changed
   * @param start that offset
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
    // Linux computes no checksum for a packet that does not leave the machine.
    boolean hasChecksum =
        recorded[offsets.get(CHECKSUM) - start] != 0
            || recorded[offsets.get(CHECKSUM + 1) - start] != 0;
    identify(bytes, start, identification, hasChecksum);
  }

  /** Gives an IPv4 header an identification, and the checksum that goes with it, or none. */
  void identify(byte[] bytes, int start, int identification, boolean hasChecksum) {
    put(bytes, start, IDENTIFICATION, identification);
    put(bytes, start, CHECKSUM, hasChecksum ? checksum(bytes, start) : 0);
  }

  private void put(byte[] bytes, int start, int at, int value) {
    bytes[offsets.get(at) - start] = (byte) (value >> 8);
    bytes[offsets.get(at + 1) - start] = (byte) value;
  }

  /** Whether part of the buffer, from an offset on, holds an IPv4 header here. */
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

  /** The Internet checksum (RFC 1071) of the header. */
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
