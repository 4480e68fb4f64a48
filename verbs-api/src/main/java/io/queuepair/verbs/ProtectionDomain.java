// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.List;
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
   * the same in every run, and keeps the buffer alive. A buffer counts as one that starts a page:
   * the address is as far from one as the position. With ZERO_BASED the address is 0. ON_DEMAND,
   * HUGETLB and RELAXED_ORDERING change nothing: all memory is present, and accesses are in order.
   *
   * @param buffer direct memory
   * @param access rights; REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE
   * @return the region
   * @throws VerbsException EINVAL if the buffer is not direct or larger than {@link
   *     DeviceLimit#MAX_MR_SIZE}, or the rights contradict each other; EFAULT if it is missing, or
   *     is read-only but LOCAL_WRITE is asked for; EOPNOTSUPP if it is missing but ON_DEMAND is
   *     asked for, as there is no whole address space to register; ENOMEM beyond {@link
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
    return regMr(buffer, FlagSet.of("access", access));
  }

  /**
   * Registers memory at an address of the caller's choice.
   *
   * @param buffer direct memory, from its position to its limit
   * @param iova address of the first byte, unsigned 64-bit; as far from the start of a page of 4096
   *     bytes as the buffer's position
   * @param access rights
   * @return the region
   * @throws VerbsException EINVAL if the address is not so, the memory does not end at 2^64 or
   *     before, or it is ZERO_BASED but not at 0; otherwise as {@link #regMr(ByteBuffer, Set)}
   */
  @Verb({"ibv_reg_mr_iova", "ibv_reg_mr_iova2"})
  MemoryRegion regMrIova(ByteBuffer buffer, long iova, Set<AccessFlag> access);

  /**
   * Registers memory that may be longer than a buffer, at an address of the caller's choice.
   *
   * @param memory what is registered, whole
   * @param iova address of the first byte, unsigned 64-bit
   * @param access rights
   * @return the region, which has no {@link MemoryRegion#buffer}
   * @throws VerbsException EINVAL if the memory is larger than {@link DeviceLimit#MAX_MR_SIZE},
   *     does not end at 2^64 or before, is ZERO_BASED but not at 0, or the rights contradict each
   *     other; ENOMEM beyond {@link DeviceLimit#MAX_MR}; EOPNOTSUPP if the device knows buffers
   *     only
   */
  @Verb({"ibv_reg_mr_iova", "ibv_reg_mr_iova2"})
  default MemoryRegion regHostMemory(HostMemory memory, long iova, Set<AccessFlag> access) {
    throw new VerbsException(
        Errno.EOPNOTSUPP, "ibv_reg_mr_iova2", "the device registers buffers only");
  }

  /**
   * Registers memory as attributes say. A {@code dma-buf} and a DMA handle are not offered.
   *
   * @param attr which memory, where, with which rights
   * @return the region
   * @throws VerbsException EINVAL unless there is just one of ADDR, BUF and FD, or if FD and
   *     FD_OFFSET are not together and with IOVA; EOPNOTSUPP for FD and DMAH; otherwise as {@link
   *     #regMrIova} and {@link #regBufMr}
   */
  @Verb("ibv_reg_mr_ex")
  MemoryRegion regMrEx(MrInitAttr attr);

  /**
   * Allocates memory of the device's choice, which here is plain direct memory.
   *
   * @param length bytes, 1 to 2^31-1
   * @return the memory, full of zeros; it must be freed before the domain is
   * @throws VerbsException EINVAL if the length is out of range; ENOMEM if there is not so much
   */
  @Verb("ibv_alloc_buf")
  DmaBuffer allocBuf(long length);

  /**
   * Registers a part of memory of the device's choice. Unless it is ZERO_BASED, its addresses are
   * those of the buffer.
   *
   * @param buf memory that was allocated on this domain
   * @param offset first byte
   * @param length bytes from there
   * @param access rights
   * @return the region
   * @throws VerbsException EINVAL if it belongs to another domain, or the range is not inside;
   *     otherwise as {@link #regMr(ByteBuffer, Set)}
   */
  @Verb("ibv_reg_buf_mr")
  MemoryRegion regBufMr(DmaBuffer buf, long offset, long length, Set<AccessFlag> access);

  /**
   * Registers a part of the memory of the device. Its addresses begin at 0.
   *
   * @param dm memory of the same context
   * @param offset first byte
   * @param length bytes from there
   * @param access rights, with ZERO_BASED
   * @return the region
   * @throws VerbsException EINVAL without ZERO_BASED, if it belongs to another context, or if the
   *     range is not inside; otherwise as {@link #regMr(ByteBuffer, Set)}
   */
  @Verb("ibv_reg_dm_mr")
  MemoryRegion regDmMr(DeviceMemory dm, long offset, long length, Set<AccessFlag> access);

  /**
   * Registers nothing: a region whose lkey is good for any address and length, which reads as
   * zeros, and where what is written is lost. Peers have no right to it.
   *
   * @return the region, of address and length 0
   * @throws VerbsException ENOMEM beyond {@link DeviceLimit#MAX_MR}; EOPNOTSUPP if the device
   *     cannot do that
   */
  @Verb("ibv_alloc_null_mr")
  MemoryRegion allocNullMr();

  /**
   * Says what is going to happen to ranges of memory. All of it is present already: they are
   * checked, and nothing else is done.
   *
   * @param advice what is going to happen
   * @param flags how the advice is taken
   * @param sgList the ranges, at least one
   * @throws VerbsException EINVAL without ranges; ENOENT if an lkey names nothing; EPERM if it is
   *     of another domain, or to be written without LOCAL_WRITE; EFAULT if the range is not inside
   *     the region; EOPNOTSUPP if the device takes no advice
   */
  @Verb("ibv_advise_mr")
  void adviseMr(AdviseMrAdvice advice, Set<AdviseMrFlag> flags, List<Sge> sgList);

  /**
   * Allocates a memory window, which opens nothing before it is bound.
   *
   * @param type who binds it, and how
   * @return the window
   * @throws VerbsException EOPNOTSUPP if the device does not have the type ({@link
   *     DeviceCapFlag#MEM_WINDOW}, {@link DeviceCapFlag#MEM_WINDOW_TYPE_2B}); ENOMEM beyond {@link
   *     DeviceLimit#MAX_MW}
   */
  @Verb("ibv_alloc_mw")
  MemoryWindow allocMw(MwType type);

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
   * Creates a queue pair with extended features in state RESET. One that spreads frames over work
   * queues has no queues of its own: it is in RTR at once, and stays there.
   *
   * @param initAttr type, completion queues and capacities, and the operations that {@link
   *     ExtendedQueuePair#wrStart} shall have
   * @return the queue pair
   * @throws VerbsException as {@link #createQp}; EOPNOTSUPP for an operation that the type or the
   *     device does not have, and for a creation flag or another field that it does not have;
   *     EINVAL for a queue of its own beside work queues, and for a hash key that is not of 40
   *     bytes
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
   * @throws VerbsException EBUSY while a region, a window, a queue pair or another object uses it
   */
  @Override
  @Verb("ibv_dealloc_pd")
  void close();
}
