// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that the regions of a program pin, counted as the kernel does for RLIMIT_MEMLOCK: in
 * pages, once for each region. On-demand regions pin none. Thread-safe.
 */
final class LockedMemory {
  private static final int PAGE_SHIFT = 12;
  private static final int PAGE_KIB = 4;

  private final long limitKib;
  private final AtomicLong pages = new AtomicLong();

  LockedMemory(long limitKib) {
    this.limitKib = limitKib;
  }

  /**
   * Counts the pages of a range as pinned.
   *
   * @return to be run when the range is unpinned
   * @throws VerbsException ENOMEM if the limit is exceeded
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
