// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that requests are written into before they are posted. It is kept, and grows to what the
 * largest list of requests needs: posting allocates no more after that. For one thread at a time.
 */
final class WorkMemory {
  private static final int FIRST_BYTES = 4096;

  /** Freed with this object, whatever the driver still does with an address of a former post. */
  private MemorySegment memory = Arena.ofAuto().allocate(FIRST_BYTES, Long.BYTES);

  private long used;

  /** Forgets what is in it, and makes room. */
  void reserve(long bytes) {
    if (bytes > memory.byteSize()) {
      memory = Arena.ofAuto().allocate(Math.max(bytes, 2 * memory.byteSize()), Long.BYTES);
    }
    used = 0;
  }

  /** Takes some of what was reserved, at a multiple of 8; it may hold anything. */
  long take(long bytes) {
    long at = used;
    used += bytes + 7 & ~7L;
    if (used > memory.byteSize()) {
      throw new IllegalStateException("more is taken than was reserved");
    }
    return memory.address() + at;
  }

  /** Takes a number, which is 0. */
  long takeZero() {
    long at = take(Long.BYTES);
    RawMemory.putLong(at, 0);
    return at;
  }
}
