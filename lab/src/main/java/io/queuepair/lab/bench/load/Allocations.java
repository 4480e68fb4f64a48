// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** What all threads allocate, by the JVM's own counters. */
final class Allocations {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The threads there were in the beginning; loads start none while they run. */
  private final long[] threads = THREADS.getAllThreadIds();

  private final long before = total();

  private Allocations() {}

  static Allocations sinceNow() {
    return new Allocations();
  }

  /** Bytes allocated since the beginning. */
  long bytes() {
    return total() - before;
  }

  /** A thread that has ended counts -1, as one that is not known. */
  private long total() {
    return Arrays.stream(THREADS.getThreadAllocatedBytes(threads)).sum();
  }
}
