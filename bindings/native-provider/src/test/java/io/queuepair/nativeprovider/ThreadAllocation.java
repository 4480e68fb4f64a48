// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that the calling thread allocates on the heap. */
final class ThreadAllocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private ThreadAllocation() {}

  /** Bytes of doing something again, after it was done once: it may itself be a loop. */
  static long bytes(Runnable work) {
    work.run();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    work.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
