// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Posts sends without an object for each: what libraries of C use. */
public interface SendPoster {
  /**
   * Posts requests, like {@code ibv_post_send}; on a refusal those before the bad one are posted.
   *
   * @param count how many
   * @param source where they come from
   * @param reader fills in each: the same object for all calls, or it is one for each call
   * @return requests that the send queue has room for now, or less
   */
  <S> int postSend(int count, S source, SendReader<S> reader);
}
