// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.verbs.MemoryRegion;
import java.util.Arrays;
import java.util.HexFormat;

/** Recognisable contents of memory. */
public final class Bytes {
  private Bytes() {}

  /** Bytes that differ between neighbours, between packets and between seeds. */
  public static byte[] pattern(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (7 * i + 13 * (i >> 8) + seed);
    }
    return bytes;
  }

  public static byte[] fill(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Bytes as hex digits, with spaces where they help. */
  public static byte[] ofHex(String spacedHex) {
    return HexFormat.of().parseHex(spacedHex.replace(" ", ""));
  }

  public static byte[] in(MemoryRegion region, int offset, int length) {
    byte[] bytes = new byte[length];
    region.buffer().get(offset, bytes);
    return bytes;
  }

  public static void into(MemoryRegion region, int offset, byte[] bytes) {
    region.buffer().put(offset, bytes);
  }
}
