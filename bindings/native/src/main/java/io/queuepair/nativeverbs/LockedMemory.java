// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the regions of a program pin, as the kernel counts it for RLIMIT_MEMLOCK: pages,
 * again for each region. Regions on demand pin none. Thread-safe.
 */
final class LockedMemory {
  private static final int PAGE_SHIFT = 12;
  private static final int PAGE_KIB = 4;

  private final long limitKib;
  private final AtomicLong pages = new AtomicLong();

  /**
   * Counts from 0 on.
   *
   * @param limitKib KiB that may be pinned
   */
  LockedMemory(long limitKib) {
    this.limitKib = limitKib;
  }

  /**
   * Pins a range.
   *
   * @return what gives it back
   * @throws VerbsException ENOMEM if that is too much
   */
  Runnable pin(long address, long length) {
    long more = ((address + Math.max(length, 1) - 1) >>> PAGE_SHIFT) - (address >>> PAGE_SHIFT) + 1;
    long pinned = pages.addAndGet(more);
    if (pinned > limitKib / PAGE_KIB) {
      pages.addAndGet(-more);
      throw new VerbsException(
          Errno.ENOMEM,
          Refusals.UNKNOWN_VERB,
          pinned * PAGE_KIB + " KiB would be pinned, but --memlock allows " + limitKib);
    }
    return () -> pages.addAndGet(-more);
  }
}
