// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** A completion queue whose entries a program may poll without a call. */
public interface MappableCq {
  /**
   * Puts all completions into a buffer from now on, first those that are there. From then on only
   * the buffer is polled; a slot of a send queue is free when its entry was consumed. Called again
   * with a larger buffer after the queue was resized.
   *
   * @param buffer has room for as many entries as the queue
   */
  void map(CqBuffer buffer);
}
