// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Posts batches of sends without an object for each, for bindings of C. */
public interface SendBatchPoster {
  /**
   * Posts requests, like {@code ibv_wr_start} to {@code ibv_wr_complete}; on a refusal none is
   * posted.
   *
   * @param count number of requests
   * @param source source that is passed to the reader
   * @param reader fills in each request; reuse one object, or each call allocates one
   */
  <S> void postBatch(int count, S source, SendReader<S> reader);
}
