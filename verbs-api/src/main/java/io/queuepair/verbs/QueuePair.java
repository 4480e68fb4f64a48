// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A send and a receive queue with a transport ({@code struct ibv_qp}). Thread-safe. */
public interface QueuePair extends UserContextHolder, AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain the queue pair belongs to; null for type XRC_RECV, which has none
   */
  @Nullable ProtectionDomain pd();

  /**
   * The number that peers address.
   *
   * @return 24-bit number, unique on the device
   */
  int qpNum();

  /**
   * Attributes the queue pair was created with, with the capacities granted. Those of receives are
   * as asked for also where it has no receive queue of its own; {@link #query()} has 0 then.
   *
   * @return the attributes
   */
  QpInitAttr initAttr();

  /**
   * Changes attributes and state; the mask is that of the attributes set.
   *
   * @param attr the new attributes
   * @throws VerbsException EINVAL if the transition does not exist, lacks an attribute, forbids
   *     one, or one is out of range; the message names all of them, and nothing is changed. Devices
   *     with the quirks of Linux Soft-RoCE also say EOPNOTSUPP to a rate limit, and ENODATA if the
   *     own GID is that of an empty slot
   */
  @Verb("ibv_modify_qp")
  default void modify(QpAttr attr) {
    modify(attr, Objects.requireNonNull(attr, "attr").mask());
  }

  /**
   * Changes attributes and state with an explicit mask, which may also be a wrong one. An attribute
   * that is in the mask but was not set counts as zero, and is refused where zero means nothing.
   *
   * @param attr the new attributes
   * @param mask which of them count
   * @throws VerbsException as {@link #modify(QpAttr)}
   */
  @Verb("ibv_modify_qp")
  void modify(QpAttr attr, Set<QpAttrMask> mask);

  /**
   * All attributes now; what the queue pair was created with is in {@link #initAttr}.
   *
   * @return a copy; {@code rqPsn} is the next PSN expected, {@code sqPsn} the next to be sent,
   *     {@code cap} what was granted
   */
  @Verb("ibv_query_qp")
  QpAttr query();

  /**
   * Limits the rate at which the queue pair sends.
   *
   * @param attr the rate
   * @throws VerbsException EINVAL if a number is negative, the type is not RAW_PACKET or the state
   *     not RTS; EOPNOTSUPP if the device does not limit rates
   */
  @Verb("ibv_modify_qp_rate_limit")
  void modifyRateLimit(QpRateLimitAttr attr);

  /**
   * In which order the bytes of an operation appear in memory.
   *
   * @param op the operation
   * @return what another thread that watches the memory may rely on; here nothing, since the memory
   *     model of Java promises it nothing before a completion
   */
  @Verb("ibv_query_qp_data_in_order")
  Set<DataInOrderCap> queryDataInOrder(WrOpcode op);

  /**
   * Posts a list of sends. While another thread has a {@link WrBatch} of the queue pair open, this
   * waits for its end.
   *
   * <p>A send takes a slot of the send queue until its completion, or that of a later send of the
   * queue pair, is polled; sends that fail or are flushed do, too. So at least one in each {@link
   * QpCap#maxSendWr} sends has to be signaled, and polled. RESET frees all slots. (Soft-RoCE frees
   * a slot when its send is done.)
   *
   * @param wrs requests, in order
   * @throws VerbsException EINVAL if this thread has a {@link WrBatch} of the queue pair open;
   *     EINTR if it is interrupted while it waits for the end of another thread's
   * @throws BadWorkRequestException EINVAL in RESET, INIT and RTR, for an operation the type does
   *     not have, too many scatter/gather entries, too much inline data, or a message beyond 2^31
   *     bytes; ENOMEM if the queue is full, with the number of slots that wait only for a poll. The
   *     requests before the bad one are posted
   */
  @Verb("ibv_post_send")
  void postSend(List<SendWr> wrs);

  /**
   * Posts one send.
   *
   * @param wr the request
   * @throws BadWorkRequestException as {@link #postSend(List)}
   */
  @Verb("ibv_post_send")
  default void postSend(SendWr wr) {
    postSend(List.of(Objects.requireNonNull(wr, "wr")));
  }

  /**
   * The queue pair as one with extended posting.
   *
   * @return this queue pair if it was created by {@link ProtectionDomain#createQpEx} with {@link
   *     QpInitAttrMask#SEND_OPS_FLAGS}, otherwise nothing (NULL in C)
   */
  @Verb("ibv_qp_to_qp_ex")
  default Optional<ExtendedQueuePair> toQpEx() {
    return Optional.empty();
  }

  /**
   * Posts a list of receives.
   *
   * @param wrs requests, in order
   * @throws BadWorkRequestException EINVAL in RESET or for too many scatter/gather entries; ENOMEM
   *     if the queue is full. The requests before the bad one are posted
   */
  @Verb("ibv_post_recv")
  void postRecv(List<RecvWr> wrs);

  /**
   * Posts one receive.
   *
   * @param wr the request
   * @throws BadWorkRequestException as {@link #postRecv(List)}
   */
  @Verb("ibv_post_recv")
  default void postRecv(RecvWr wr) {
    postRecv(List.of(Objects.requireNonNull(wr, "wr")));
  }

  /**
   * Posts the bind of a memory window of type 1, which takes the next key at once: {@link
   * MemoryWindow#rkey} has it on return. The bind itself is carried out in the order of the send
   * queue; until then the former key is in effect, and if it fails, too. Windows of type 2 are
   * bound by {@link BindMwWr}.
   *
   * @param mw the window, bound or not
   * @param bind what it shall open; without region or without bytes the window is closed
   * @throws VerbsException EINVAL if the type of the queue pair has no binds (UD, RAW_PACKET), if
   *     the window is of type 2 or of another device, if there is no region but an address or a
   *     length, and for ZERO_BASED; EPERM if region and window belong to different domains; and as
   *     {@link #postSend(List)}
   */
  @Verb("ibv_bind_mw")
  void bindMw(MemoryWindow mw, MwBind bind);

  /**
   * Steers frames to the receives of a queue pair of type RAW_PACKET, which gets none otherwise. A
   * receive takes one whole frame, from its destination address on; byteLen is its length. A frame
   * that finds no receive is dropped and counted.
   *
   * @param attr which frames
   * @return the rule
   * @throws VerbsException EINVAL if the type is not RAW_PACKET, a number is out of its range, the
   *     port is not that of the queue pair, unless it is in RESET, where it has none, or no frame
   *     could match all specifications; EOPNOTSUPP for EGRESS; ENOMEM if the device has no room for
   *     more
   */
  @Verb("ibv_create_flow")
  Flow createFlow(FlowAttr attr);

  /**
   * Attaches a queue pair of type UD to a multicast group: it receives one copy of each datagram
   * that is sent to the group and queue pair number 0xFFFFFF with its Q_Key, also of its own. The
   * device joins the group on the network with the first queue pair, on the interface of the first
   * of its addresses that is of the same family. Attaching twice is attaching once.
   *
   * @param group multicast GID: first byte 0xff, or an IPv4 address of 224.0.0.0/4
   * @throws VerbsException EINVAL if the type is not UD or the GID is none of a group; ENOMEM
   *     beyond the limits MAX_MCAST_GRP, MAX_MCAST_QP_ATTACH or MAX_TOTAL_MCAST_QP_ATTACH;
   *     EOPNOTSUPP if the network cannot join the group
   */
  @Verb("ibv_attach_mcast")
  void attachMcast(Gid group);

  /**
   * Detaches the queue pair from a multicast group.
   *
   * @param group multicast GID
   * @throws VerbsException EINVAL if it is not attached
   */
  @Verb("ibv_detach_mcast")
  void detachMcast(Gid group);

  /**
   * Destroys the queue pair; what is still posted vanishes without completion.
   *
   * @throws VerbsException EBUSY if a flow leads to it, it is attached to a multicast group or a
   *     {@link WrBatch} is open, or if one of its asynchronous events is not acknowledged: at once
   *     in virtual time or if the calling thread took all of them, otherwise after waiting ten
   *     seconds for other threads
   */
  @Override
  @Verb("ibv_destroy_qp")
  void close();
}
