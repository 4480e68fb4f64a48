// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Posts receives without an object for each: what libraries of C use. */
public interface ReceivePoster {
  /**
   * Posts receives, like {@code ibv_post_recv}; on a refusal those before the bad one are posted.
   *
   * @param count how many
   * @param source where they come from
   * @param reader fills in each: the same object for all calls, or it is one for each call
   */
  <S> void postRecv(int count, S source, ReceiveReader<S> reader);
}
