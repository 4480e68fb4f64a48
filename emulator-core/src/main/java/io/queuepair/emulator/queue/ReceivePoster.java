// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

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

  /**
   * Tells a listener how many more receives there is room for, now and whenever that has grown:
   * before the completion of a receive can be polled. Called under the lock of the device.
   *
   * @param listener null for none; the one before gets 0
   */
  void tellRoomTo(@Nullable IntConsumer listener);
}
