// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The Ethernet frames of a capture file with one section and one interface. */
public final class Pcapng {
  private static final int ENHANCED_PACKET_BLOCK = 6;
  private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;

  private Pcapng() {}

  public static List<ByteBuffer> frames(String resource) {
    return frames(read(resource));
  }

  /** Frames of a file that is in memory. */
  public static List<ByteBuffer> frames(byte[] bytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes);
    if (file.getInt(8) != BYTE_ORDER_MAGIC) {
      file.order(ByteOrder.LITTLE_ENDIAN);
    }
    List<ByteBuffer> frames = new ArrayList<>();
    int blockBytes;
    for (int block = 0; block < file.capacity(); block += blockBytes) {
      blockBytes = file.getInt(block + 4);
      if (file.getInt(block) == ENHANCED_PACKET_BLOCK) {
        frames.add(file.slice(block + 28, file.getInt(block + 20)));
      }
    }
    return frames;
  }

  private static byte[] read(String resource) {
    try (InputStream stream = Pcapng.class.getResourceAsStream(resource)) {
      return stream.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(resource, failure);
    }
  }
}
