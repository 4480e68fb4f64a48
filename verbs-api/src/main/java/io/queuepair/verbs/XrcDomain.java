// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Domain of XRC target queue pairs and of the shared receive queues they may reach ({@code struct
 * ibv_xrcd}). Thread-safe.
 */
public interface XrcDomain extends AutoCloseable {
  /**
   * The context.
   *
   * @return the context the domain was opened in
   */
  Context context();

  /**
   * Creates a target queue pair, of type XRC_RECV, in state RESET. It has no queues of its own.
   *
   * @return the queue pair
   * @throws VerbsException ENOMEM beyond {@link DeviceLimit#MAX_QP}
   */
  @Verb("ibv_create_qp_ex")
  QueuePair createQp();

  /**
   * Creates a shared receive queue of type XRC.
   *
   * @param pd domain of the memory, of the same context
   * @param cq where its receives complete
   * @param attr capacities; the limit is not looked at
   * @return the queue
   * @throws VerbsException EINVAL if a capacity is out of range; ENOMEM beyond {@link
   *     DeviceLimit#MAX_SRQ}
   */
  @Verb("ibv_create_srq_ex")
  SharedReceiveQueue createSrq(ProtectionDomain pd, CompletionQueue cq, SrqAttr attr);

  /**
   * Closes the domain.
   *
   * @throws VerbsException EBUSY while a queue pair or shared receive queue belongs to it
   */
  @Override
  @Verb("ibv_close_xrcd")
  void close();
}
