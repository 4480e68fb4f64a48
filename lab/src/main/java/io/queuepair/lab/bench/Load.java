// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;

/** Operation that is repeated as fast as possible, with RDMA devices or without. */
interface Load extends AutoCloseable {
  /**
   * Repeats the operation for at least a time; returns the number of messages completed, or of
   * other operations.
   */
  long run(long nanos) throws IOException;

  /** Messages per second, measured after a warm-up of a quarter of the time. */
  default double messagesPerSecond(long nanos) throws IOException {
    run(nanos / 4);
    long start = System.nanoTime();
    long messages = run(nanos);
    return messages / ((System.nanoTime() - start) / 1e9);
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
