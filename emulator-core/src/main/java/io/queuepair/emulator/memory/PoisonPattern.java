// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;

/** The pattern {@code db db db} in memory that waits for data, easily seen in a dump. */
public final class PoisonPattern {
  private static final byte PATTERN = (byte) 0xdb;

  private PoisonPattern() {}

  /** Overwrites a range. */
  public static void fill(Payload payload) {
    ByteBuffer bytes = payload.buffer();
    for (int i = 0; i < payload.length(); i++) {
      bytes.put(payload.offset() + i, PATTERN);
    }
  }
}
