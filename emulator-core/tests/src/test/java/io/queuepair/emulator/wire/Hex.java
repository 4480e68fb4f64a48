package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes as spaced hex. */
final class Hex {
  private Hex() {}

  static byte[] bytes(String spaced) {
    return HexFormat.of().parseHex(spaced.replace(" ", ""));
  }

  static ByteBuffer buffer(String spaced) {
    return ByteBuffer.wrap(bytes(spaced));
  }

  static String of(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
