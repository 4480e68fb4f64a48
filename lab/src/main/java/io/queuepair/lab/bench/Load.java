// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.stream.LongStream;

/** Operation that is repeated as fast as possible, with RDMA devices or without. */
interface Load extends AutoCloseable {
  /** Repeats the operation for at least a time; returns how many messages completed. */
  long run(long nanos) throws IOException;

  /** Messages per second, measured after a warm-up of a quarter of the time. */
  default double messagesPerSecond(long nanos) throws IOException {
    run(nanos / 4);
    long start = System.nanoTime();
    long messages = run(nanos);
    return messages / ((System.nanoTime() - start) / 1e9);
  }

  /** Bytes of heap that all threads allocate for a message. */
  default double bytesPerMessage(long nanos) throws IOException {
    long before = allocatedBytes();
    long messages = run(nanos);
    return (allocatedBytes() - before) / (double) messages;
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
  }

  @Override
  default void close() {
    // Most loads hold no resources.
  }

  /** Opens a load: connects its devices or sockets. */
  interface LoadOpener {
    Load open() throws IOException;
  }
}
