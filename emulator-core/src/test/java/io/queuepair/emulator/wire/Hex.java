// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes as spaced hex. */
public final class Hex {
  private Hex() {}

  public static byte[] bytes(String spaced) {
    return HexFormat.of().parseHex(spaced.replace(" ", ""));
  }

  public static ByteBuffer buffer(String spaced) {
    return ByteBuffer.wrap(bytes(spaced));
  }

  public static String of(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
