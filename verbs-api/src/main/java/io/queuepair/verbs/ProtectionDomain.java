package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.Set;

/** Ties queue pairs to the memory they may use ({@code struct ibv_pd}). Thread-safe. */
public interface ProtectionDomain extends AutoCloseable {
  /**
   * The context.
   *
   * @return the context this domain was allocated on
   */
  Context context();

  /**
   * Registers memory: from the buffer's position to its limit. The region gets an emulated address,
   * the same in every run, and keeps the buffer alive.
   *
   * @param buffer direct memory
   * @param access rights; REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE
   * @return the region
   * @throws VerbsException EINVAL if the buffer is not direct or is empty, or the rights contradict
   *     each other; EFAULT if it is read-only but LOCAL_WRITE is asked for; ENOMEM beyond {@link
   *     DeviceLimit#MAX_MR}
   */
  @Verb("ibv_reg_mr")
  MemoryRegion regMr(ByteBuffer buffer, Set<AccessFlag> access);

  /**
   * Registers memory: from the buffer's position to its limit.
   *
   * @param buffer direct memory
   * @param access rights
   * @return the region
   * @throws VerbsException as {@link #regMr(ByteBuffer, Set)}
   */
  @Verb("ibv_reg_mr")
  default MemoryRegion regMr(ByteBuffer buffer, AccessFlag... access) {
    return regMr(buffer, Set.of(access));
  }

  /**
   * Creates a queue pair in state RESET.
   *
   * @param initAttr type, completion queues and capacities
   * @return the queue pair
   * @throws VerbsException EINVAL if a completion queue is missing or of another context, or a
   *     capacity is out of range; EOPNOTSUPP if the type is not offered; ENOMEM beyond {@link
   *     DeviceLimit#MAX_QP}
   */
  @Verb("ibv_create_qp")
  QueuePair createQp(QpInitAttr initAttr);

  /**
   * Creates a queue pair with extended features in state RESET.
   *
   * @param initAttr type, completion queues and capacities, and the operations that {@link
   *     ExtendedQueuePair#wrStart} shall have
   * @return the queue pair
   * @throws VerbsException as {@link #createQp}; EOPNOTSUPP for an operation that the type or the
   *     device does not have, and for a creation flag or another field that it does not have
   */
  @Verb("ibv_create_qp_ex")
  ExtendedQueuePair createQpEx(QpInitAttrEx initAttr);

  /**
   * Creates an address handle for datagrams.
   *
   * @param attr where they go
   * @return the handle
   * @throws VerbsException EINVAL if the port or own GID does not exist, or the destination is the
   *     zero GID or of another address family; ENOMEM beyond {@link DeviceLimit#MAX_AH}
   */
  @Verb("ibv_create_ah")
  AddressHandle createAh(AhAttr attr);

  /**
   * Creates an address handle for the answer to a datagram that was received.
   *
   * @param completion completion of the receive
   * @param grh the first 40 bytes of the receive, from the buffer's position on
   * @param portNum port it was received on
   * @return the handle
   * @throws VerbsException as {@link Context#initAhFromWc} and {@link #createAh}
   */
  @Verb("ibv_create_ah_from_wc")
  default AddressHandle createAhFromWc(WorkCompletion completion, ByteBuffer grh, int portNum) {
    return createAh(context().initAhFromWc(portNum, completion, grh));
  }

  /**
   * Creates a shared receive queue.
   *
   * @param attr capacities; the limit is not looked at
   * @return the queue
   * @throws VerbsException EINVAL if a capacity is 0 or beyond that of the device; ENOMEM beyond
   *     {@link DeviceLimit#MAX_SRQ}
   */
  @Verb("ibv_create_srq")
  SharedReceiveQueue createSrq(SrqAttr attr);

  /**
   * Frees the domain.
   *
   * @throws VerbsException EBUSY while a region or queue pair uses it
   */
  @Override
  @Verb("ibv_dealloc_pd")
  void close();
}
