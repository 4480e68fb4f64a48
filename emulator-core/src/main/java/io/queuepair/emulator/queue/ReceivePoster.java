// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Posts receives without an object for each, for bindings of C. */
public interface ReceivePoster {
  /**
   * Posts receives, like {@code ibv_post_recv}; on a refusal those before the bad one are posted.
   *
   * @param count number of receives
   * @param source source that is passed to the reader
   * @param reader fills in each receive; reuse one object, or each call allocates one
   */
  <S> void postRecv(int count, S source, ReceiveReader<S> reader);

  /**
   * Sets a listener to the number of receives that there is room for. It is called now and whenever
   * that has grown, before the completion of the receive can be polled; under the lock of the
   * device.
   *
   * @param listener null for none; the previous listener gets 0
   */
  void tellRoomTo(@Nullable IntConsumer listener);

  /** Estimated memory of all requests that are posted, also sends, in bytes. */
  long postedBytes();
}
