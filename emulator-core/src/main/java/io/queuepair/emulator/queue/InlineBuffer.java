// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;

/** The memory of the data that a send carries inline. It is used again by the next one. */
public final class InlineBuffer {
  /** More is memory for one send only. */
  private static final int MAX_KEPT_BYTES = 4096;

  private Payload kept = Payload.EMPTY;

  /** So many bytes, at the beginning of a buffer, to be filled. */
  public Payload reserve(int length) {
    if (length > MAX_KEPT_BYTES) {
      return new Payload(ByteBuffer.allocate(length), 0, length);
    }
    if (kept.length() != length) {
      boolean hasRoom = kept.buffer().capacity() >= length;
      kept = new Payload(hasRoom ? kept.buffer() : ByteBuffer.allocate(length), 0, length);
    }
    return kept;
  }
}
