// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.PollBatch;

/** Starts batches of polls without an object for each, for bindings of C. */
public interface PollBatchStarter {
  /**
   * Starts a batch with the oldest completion, like {@code ibv_start_poll}.
   *
   * @return the same object each time; an ended batch must not be used any more
   */
  PollBatch startReusedPoll();
}
