// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/** Checksum and poisoning of the buffers that the sanitizer watches. */
public final class BufferContents {
  /** {@code db db db}, easily seen in a dump. */
  private static final byte POISON = (byte) 0xdb;

  private BufferContents() {}

  /** Hash of ranges, which detects every change of up to 32 bits and almost every other. */
  public static long hash(List<Payload> ranges) {
    CRC32C crc = new CRC32C();
    for (Payload range : ranges) {
      crc.update(range.buffer().slice(range.offset(), range.length()));
    }
    return crc.getValue();
  }

  /** Fills a range that waits for data with {@link #POISON}. */
  public static void poison(Payload range) {
    ByteBuffer bytes = range.buffer();
    for (int i = 0; i < range.length(); i++) {
      bytes.put(range.offset() + i, POISON);
    }
  }
}
