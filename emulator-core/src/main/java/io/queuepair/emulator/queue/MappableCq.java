// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Completion queue whose entries a program may poll without a call. */
public interface MappableCq {
  /**
   * Produces all completions into a buffer from now on, first the present ones. From then on only
   * the buffer is polled; a slot of a send queue is free when its entry was consumed. Called again
   * with a larger buffer after the queue was resized.
   *
   * @param buffer buffer with room for as many entries as the queue
   */
  void map(CqBuffer buffer);
}
