// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Posts batches of sends without an object for each: what libraries of C use. */
public interface SendBatchPoster {
  /**
   * Posts requests, like {@code ibv_wr_start} to {@code ibv_wr_complete}; on a refusal none is
   * posted.
   *
   * @param count how many
   * @param source where they come from
   * @param reader fills in each: the same object for all calls, or it is one for each call
   */
  <S> void postBatch(int count, S source, SendReader<S> reader);
}
