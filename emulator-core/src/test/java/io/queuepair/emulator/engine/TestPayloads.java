// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Recognisable payloads. */
final class TestPayloads {
  private TestPayloads() {}

  /** Bytes that differ between neighbours, between packets and between seeds. */
  static byte[] pattern(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (7 * i + 13 * (i >> 8) + seed);
    }
    return bytes;
  }

  static byte[] fill(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  static byte[] slice(byte[] bytes, int from, int length) {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }
}
