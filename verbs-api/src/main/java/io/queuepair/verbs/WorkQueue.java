// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Objects;

/** Receives that a {@link RwqIndTable} leads frames to ({@code struct ibv_wq}). Thread-safe. */
public interface WorkQueue extends UserContextHolder, AutoCloseable {
  /**
   * The context.
   *
   * @return the context it was created on
   */
  Context context();

  /**
   * Its number, which its completions carry.
   *
   * @return 24-bit number, which no queue pair of the device has
   */
  int wqNum();

  /**
   * The state now.
   *
   * @return RESET, RDY or ERR
   */
  WqState state();

  /**
   * Attributes the work queue was created with.
   *
   * @return the attributes, with the capacities that were granted
   */
  WqInitAttr initAttr();

  /**
   * Changes state or flags. From any state it may move to RESET, where it is empty, and to ERR,
   * where its receives are flushed; to RDY from RESET only.
   *
   * @param attr what to change
   * @throws VerbsException EINVAL if the mask is empty, the state is not that assumed, or there is
   *     no such transition; EOPNOTSUPP for a flag that is not offered
   */
  @Verb("ibv_modify_wq")
  void modify(WqAttr attr);

  /**
   * Posts a list of receives; they are filled in this order.
   *
   * @param wrs requests, in order
   * @throws BadWorkRequestException EINVAL in state RESET and for too many scatter/gather entries;
   *     ENOMEM if the queue is full. The requests before the bad one are posted
   */
  @Verb("ibv_post_wq_recv")
  void postRecv(List<RecvWr> wrs);

  /**
   * Posts one receive.
   *
   * @param wr the request
   * @throws BadWorkRequestException as {@link #postRecv(List)}
   */
  @Verb("ibv_post_wq_recv")
  default void postRecv(RecvWr wr) {
    postRecv(List.of(Objects.requireNonNull(wr, "wr")));
  }

  /**
   * Destroys the queue; receives that are still posted vanish without completion.
   *
   * @throws VerbsException EBUSY while a table leads to it
   */
  @Override
  @Verb("ibv_destroy_wq")
  void close();
}
