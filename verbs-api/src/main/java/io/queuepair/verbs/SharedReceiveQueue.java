// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Receives that several queue pairs share ({@code struct ibv_srq}). Thread-safe. */
public interface SharedReceiveQueue extends UserContextHolder, AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain that the memory of the receives belongs to
   */
  ProtectionDomain pd();

  /**
   * The number that XRC peers address.
   *
   * @return 24-bit number, unique on the device
   * @throws VerbsException EOPNOTSUPP if the queue is not of type XRC
   */
  @Verb("ibv_get_srq_num")
  int srqNum();

  /**
   * Posts a list of receives; they are consumed in this order.
   *
   * @param wrs requests, in order
   * @throws BadWorkRequestException EINVAL for too many scatter/gather entries; ENOMEM if the queue
   *     is full. The requests before the bad one are posted
   */
  @Verb("ibv_post_srq_recv")
  void postRecv(List<RecvWr> wrs);

  /**
   * Posts one receive.
   *
   * @param wr the request
   * @throws BadWorkRequestException as {@link #postRecv(List)}
   */
  @Verb("ibv_post_srq_recv")
  default void postRecv(RecvWr wr) {
    postRecv(List.of(Objects.requireNonNull(wr, "wr")));
  }

  /**
   * Changes the capacity, or arms the limit event: when fewer receives than the limit are posted,
   * {@link EventType#SRQ_LIMIT_REACHED} is raised once.
   *
   * @param attr the new values
   * @param mask which of them count
   * @throws VerbsException EINVAL if the capacity is 0, beyond that of the device, below what is
   *     posted or below the limit, or the limit is above the capacity
   */
  @Verb("ibv_modify_srq")
  void modify(SrqAttr attr, Set<SrqAttrMask> mask);

  /**
   * The attributes now.
   *
   * @return capacities granted, and the limit: 0 if not armed
   */
  @Verb("ibv_query_srq")
  SrqAttr query();

  /**
   * Destroys the queue; receives that are still posted vanish without completion.
   *
   * @throws VerbsException EBUSY while a queue pair uses it
   */
  @Override
  @Verb("ibv_destroy_srq")
  void close();
}
