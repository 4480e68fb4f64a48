// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Posts sends without an object for each, for bindings of C. */
public interface SendPoster {
  /**
   * Posts requests, like {@code ibv_post_send}; on a refusal those before the bad one are posted.
   *
   * @param count number of requests
   * @param source source that is passed to the reader
   * @param reader fills in each request; reuse one object, or each call allocates one
   * @return number of further requests that fit the send queue, or less
   */
  <S> int postSend(int count, S source, SendReader<S> reader);
}
