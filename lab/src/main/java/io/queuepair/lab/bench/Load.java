// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;

/** Something that is done again and again, as fast as it goes: by devices, or without them. */
interface Load extends AutoCloseable {
  /**
   * Does it for some time at least, and gives how many messages completed, or what else is counted.
   */
  long run(long nanos) throws IOException;

  /** Messages in a second, after a warm-up of a quarter of the time. */
  default double messagesPerSecond(long nanos) throws IOException {
    run(nanos / 4);
    long start = System.nanoTime();
    long messages = run(nanos);
    return messages / ((System.nanoTime() - start) / 1e9);
  }

  @Override
  default void close() {
    // Most loads leave nothing behind.
  }

  /** Makes a load ready. */
  interface LoadOpener {
    Load open() throws IOException;
  }
}
