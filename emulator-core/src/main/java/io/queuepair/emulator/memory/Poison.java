package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;

/** The pattern in memory that waits for data, easily seen in a dump: {@code db db db}. */
public final class Poison {
  private static final byte PATTERN = (byte) 0xdb;

  private Poison() {}

  /** Overwrites a range. */
  public static void fill(Payload range) {
    ByteBuffer bytes = range.buffer();
    for (int i = 0; i < range.length(); i++) {
      bytes.put(range.offset() + i, PATTERN);
    }
  }
}
