// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.DatagramBurst;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Buffers of outgoing bursts, reused once the kernel has taken them. */
final class BurstPool {
  /** Most buffers kept for reuse; further ones are allocated on demand and not kept. */
  static final int LIMIT = 64;

  private static final int BUFFER_BYTES = 64 << 10;

  private final ArrayDeque<BurstBuffer> free = new ArrayDeque<>(LIMIT);
  private final List<BurstBuffer> lent = new ArrayList<>();
  private int pooled;

  /** Whether the next {@link #acquire} stays within {@link #LIMIT}. */
  boolean hasRoom() {
    return !free.isEmpty() || pooled < LIMIT;
  }

  ByteBuffer acquire() {
    if (lent.size() >= LIMIT) {
      throw new IllegalStateException(LIMIT + " buffers were borrowed and never sent");
    }
    BurstBuffer buffer = free.isEmpty() ? create() : free.removeLast();
    lent.add(buffer);
    return buffer.bytes().clear();
  }

  private BurstBuffer create() {
    boolean isPooled = pooled < LIMIT;
    if (isPooled) {
      pooled++;
    }
    return new BurstBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES), isPooled);
  }

  /** Takes back the lent buffer of a burst; wraps bytes that were not lent here in a new one. */
  @SuppressWarnings("ReferenceEquality") // Others may hold equal bytes; only one was lent.
  BurstBuffer claim(DatagramBurst burst) {
    for (int i = lent.size() - 1; i >= 0; i--) {
      if (lent.get(i).bytes() == burst.bytes()) {
        return lent.remove(i);
      }
    }
    return new BurstBuffer(burst.bytes(), false);
  }

  void release(BurstBuffer buffer) {
    if (buffer.isPooled()) {
      free.addLast(buffer);
    }
  }
}
