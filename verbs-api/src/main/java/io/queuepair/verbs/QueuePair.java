package io.queuepair.verbs;

import java.util.List;
import java.util.Set;

/** A send and a receive queue with a transport ({@code struct ibv_qp}). Thread-safe. */
public interface QueuePair extends AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain the queue pair belongs to; null for type XRC_RECV, which has none
   */
  ProtectionDomain pd();

  /**
   * The number that peers address.
   *
   * @return 24-bit number, unique on the device
   */
  int qpNum();

  /**
   * What the queue pair was created with, with the capacities that were granted.
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
    modify(attr, attr.mask());
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
   * Posts a list of sends.
   *
   * @param wrs requests, in order
   * @throws BadWorkRequestException EINVAL in RESET, INIT and RTR, for an operation the type does
   *     not have, too many scatter/gather entries, too much inline data, or a message beyond 2^31
   *     bytes; ENOMEM if the queue is full. The requests before the bad one are posted
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
    postSend(List.of(wr));
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
    postRecv(List.of(wr));
  }

  /**
   * Destroys the queue pair; what is still posted vanishes without completion.
   *
   * @throws VerbsException EBUSY if one of its asynchronous events is not acknowledged: at once in
   *     virtual time, otherwise after waiting for a while
   */
  @Override
  @Verb("ibv_destroy_qp")
  void close();
}
