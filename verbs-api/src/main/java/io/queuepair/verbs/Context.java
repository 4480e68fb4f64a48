// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An opened device ({@code struct ibv_context}). Thread-safe.
 *
 * <p>When the device is gone, every verb on it and on its objects is refused with ENODEV, except
 * those that destroy something or take what is there already. A null argument is a
 * NullPointerException that names the parameter, unless the method says otherwise; nothing has
 * changed then.
 */
public interface Context extends AutoCloseable {
  /**
   * The device.
   *
   * @return the device this context was opened on
   */
  Device device();

  /**
   * Attributes of the device.
   *
   * @return attributes, constant for the life of the device
   */
  @Verb("ibv_query_device")
  DeviceAttr queryDevice();

  /**
   * Attributes of the device, optional features included. There is no input to be refused: in C its
   * {@code comp_mask} must be 0.
   *
   * @return attributes, constant for the life of the device; 0 or empty for what it does not offer
   */
  @Verb("ibv_query_device_ex")
  DeviceAttrEx queryDeviceEx();

  /**
   * Current values of the device.
   *
   * @return the clock of completion timestamps
   * @throws VerbsException EOPNOTSUPP if the device has no such clock
   */
  @Verb("ibv_query_rt_values_ex")
  ValuesEx queryRtValuesEx();

  /**
   * State and properties of a port.
   *
   * @param portNum number of the port, from 1
   * @return the attributes now
   * @throws VerbsException EINVAL if there is no such port
   */
  @Verb("ibv_query_port")
  PortAttr queryPort(int portNum);

  /**
   * The effective speed of a port.
   *
   * @param portNum number of the port, from 1
   * @return in units of 100 Mbit/s; 0 while the port is down
   * @throws VerbsException EINVAL if there is no such port; EOPNOTSUPP if the device does not say
   */
  @Verb("ibv_query_port_speed")
  long queryPortSpeed(int portNum);

  /**
   * Hardware counters of a port, which Linux shows in files.
   *
   * @param portNum number of the port, from 1
   * @return every counter
   * @throws VerbsException EINVAL if there is no such port
   */
  Map<HwCounter, Long> hwCounters(int portNum);

  /**
   * An entry of the GID table.
   *
   * @param portNum number of the port, from 1
   * @param index slot, from 0
   * @return the GID; {@link Gid#ZERO} for an empty slot
   * @throws VerbsException EINVAL if there is no such port or slot
   */
  @Verb("ibv_query_gid")
  Gid queryGid(int portNum, int index);

  /**
   * An entry of the GID table, with its kind.
   *
   * @param portNum number of the port, from 1
   * @param index slot, from 0
   * @return the entry
   * @throws VerbsException ENODATA if the slot is empty; EINVAL if there is no such port or slot
   */
  @Verb("ibv_query_gid_ex")
  GidEntry queryGidEx(int portNum, int index);

  /**
   * The GID tables of all ports, without empty slots.
   *
   * @param maxEntries how many there may be
   * @return by port, then by slot
   * @throws VerbsException EINVAL if there are more
   */
  @Verb("ibv_query_gid_table")
  List<GidEntry> queryGidTable(int maxEntries);

  /**
   * An entry of the P_Key table.
   *
   * @param portNum number of the port, from 1
   * @param index slot, from 0
   * @return the P_Key, unsigned 16-bit
   * @throws VerbsException EINVAL if there is no such port or slot
   */
  @Verb("ibv_query_pkey")
  int queryPkey(int portNum, int index);

  /**
   * Where a P_Key is in the table.
   *
   * @param portNum number of the port, from 1
   * @param pkey unsigned 16-bit; all bits must match
   * @return the first slot that holds it, from 0
   * @throws VerbsException as {@link #queryPkey} beyond the last slot, if no slot does
   */
  @Verb("ibv_get_pkey_index")
  int getPkeyIndex(int portNum, int pkey);

  /**
   * Allocates a protection domain.
   *
   * @return a new domain
   * @throws VerbsException ENOMEM beyond {@link DeviceLimit#MAX_PD}
   */
  @Verb("ibv_alloc_pd")
  ProtectionDomain allocPd();

  /**
   * Allocates memory on the device.
   *
   * @param attr how much
   * @return the memory, full of zeros
   * @throws VerbsException EINVAL if the length is 0 or negative, or the alignment is not 0 to 63;
   *     ENOMEM if the device has not so much left; EOPNOTSUPP if it has none at all
   */
  @Verb("ibv_alloc_dm")
  DeviceMemory allocDm(AllocDmAttr attr);

  /**
   * Allocates a thread domain.
   *
   * @return a new domain
   * @throws VerbsException EOPNOTSUPP if the device has none
   */
  @Verb("ibv_alloc_td")
  ThreadDomain allocTd();

  /**
   * Allocates a parent domain: it stands for a protection domain wherever one is asked for, and
   * what is created in it uses the thread domain. In C it can also bring allocators for the memory
   * of queues, which here are Java objects.
   *
   * @param pd what it stands for, not itself a parent domain
   * @param td thread domain, or null
   * @return a new domain; objects of it and of {@code pd} can be used together
   * @throws VerbsException EINVAL if there is no protection domain, it is a parent domain, or one
   *     of both is of another context; EOPNOTSUPP if the device has none
   */
  @Verb("ibv_alloc_parent_domain")
  ProtectionDomain allocParentDomain(ProtectionDomain pd, @Nullable ThreadDomain td);

  /**
   * Creates a completion queue without channel.
   *
   * @param cqe entries, at least 1
   * @return a queue of at least that size
   * @throws VerbsException EINVAL if {@code cqe} is not 1 to {@link DeviceLimit#MAX_CQE}; ENOMEM
   *     beyond {@link DeviceLimit#MAX_CQ}
   */
  @Verb("ibv_create_cq")
  default CompletionQueue createCq(int cqe) {
    return createCq(cqe, null);
  }

  /**
   * Creates a completion queue whose notifications go to a channel.
   *
   * @param cqe entries, at least 1
   * @param channel where notifications go, or null
   * @return a queue of at least that size
   * @throws VerbsException EINVAL if {@code cqe} is not 1 to {@link DeviceLimit#MAX_CQE} or the
   *     channel is of another context; ENOMEM beyond {@link DeviceLimit#MAX_CQ}
   */
  @Verb("ibv_create_cq")
  default CompletionQueue createCq(int cqe, @Nullable CompletionChannel channel) {
    return createCq(cqe, channel, 0);
  }

  /**
   * Creates a completion queue with a completion vector, which on hardware chooses the interrupt
   * that its notifications use.
   *
   * @param cqe entries, at least 1
   * @param channel where notifications go, or null
   * @param compVector from 0 to {@link #numCompVectors()} - 1
   * @return a queue of at least that size
   * @throws VerbsException EINVAL if {@code cqe} is not 1 to {@link DeviceLimit#MAX_CQE}, there is
   *     no such vector, or the channel is of another context; ENOMEM beyond {@link
   *     DeviceLimit#MAX_CQ}
   */
  @Verb("ibv_create_cq")
  CompletionQueue createCq(int cqe, @Nullable CompletionChannel channel, int compVector);

  /**
   * How many completion vectors there are ({@code ibv_context.num_comp_vectors}).
   *
   * @return at least 1
   */
  int numCompVectors();

  /**
   * Creates a completion queue that is polled in batches, field by field.
   *
   * @param initAttr its size, channel, fields and properties
   * @return a queue of at least that size
   * @throws VerbsException EINVAL if {@code cqe} is not 1 to {@link DeviceLimit#MAX_CQE}, there is
   *     no such vector, or the channel is of another context; EOPNOTSUPP for a field or property
   *     that is not offered; ENOMEM beyond {@link DeviceLimit#MAX_CQ}
   */
  @Verb("ibv_create_cq_ex")
  ExtendedCompletionQueue createCqEx(CqInitAttrEx initAttr);

  /**
   * Creates a completion channel.
   *
   * @return a new channel
   */
  @Verb("ibv_create_comp_channel")
  CompletionChannel createCompChannel();

  /**
   * Takes the oldest asynchronous event, waiting for one as long as it takes.
   *
   * @return the event
   * @throws VerbsException EDEADLK in virtual time, if the network is idle so that the wait could
   *     never end; EINTR if the thread is interrupted
   */
  @Verb("ibv_get_async_event")
  AsyncEvent getAsyncEvent();

  /**
   * Takes the oldest asynchronous event, waiting for a limited time.
   *
   * @param timeout how long to wait at most, in the time of the network; zero does not wait
   * @return the event, empty if there was none in time
   * @throws VerbsException EINTR if the thread is interrupted; EDEADLK in virtual time, if so many
   *     calls in a row found nothing as {@link CompletionQueue#poll(WorkCompletion[])} allows
   */
  @Verb("ibv_get_async_event")
  Optional<AsyncEvent> getAsyncEvent(Duration timeout);

  /**
   * Delivers asynchronous events to a listener: no thread needs to wait for them. The listener is
   * called by whichever thread makes them happen, one call at a time, while the device holds no
   * lock; it may call verbs, but must not block. What it receives needs no acknowledgement. While
   * an object is being destroyed, it may still receive events of it.
   *
   * @param listener receives each event; it takes the place of an earlier one
   * @throws VerbsException EOPNOTSUPP if the device can only be waited for; EINVAL if the context
   *     was closed
   */
  default void onAsyncEvent(Consumer<AsyncEvent> listener) {
    throw new VerbsException(
        Errno.EOPNOTSUPP, "ibv_get_async_event", "the device calls no listeners");
  }

  /**
   * Acknowledges an event that was taken; its queue can be destroyed when all are.
   *
   * @param event the event; one of a port or device needs no acknowledgement
   */
  @Verb("ibv_ack_async_event")
  void ackAsyncEvent(AsyncEvent event);

  /**
   * Opens a domain for extended reliable connections that is not shared.
   *
   * @return a new domain
   * @throws VerbsException EOPNOTSUPP if the device has no such connections
   */
  @Verb("ibv_open_xrcd")
  default XrcDomain openXrcd() {
    return openXrcd(XrcdInitAttr.PRIVATE);
  }

  /**
   * Opens a domain for extended reliable connections. Contexts of a device that open the same name
   * share the domain, until the last one closes it.
   *
   * @param attr which domain
   * @return the domain, new or shared
   * @throws VerbsException EAGAIN if there is no domain of that name and CREAT is missing; EINVAL
   *     if there is one in spite of EXCL; EOPNOTSUPP if the device has no such connections
   */
  @Verb("ibv_open_xrcd")
  XrcDomain openXrcd(XrcdInitAttr attr);

  /**
   * Opens a queue pair of type XRC_RECV that exists, possibly of another context that shares the
   * domain. It is one queue pair with several handles: each gets its events, and it is destroyed
   * with the last.
   *
   * @param attr which queue pair
   * @return a handle of it
   * @throws VerbsException EINVAL if the domain has no queue pair of that number, is of another
   *     context or missing, or the type is not XRC_RECV
   */
  @Verb("ibv_open_qp")
  QueuePair openQp(QpOpenAttr attr);

  /**
   * Creates counters, all 0.
   *
   * @return new counters, attached to nothing
   * @throws VerbsException EOPNOTSUPP if the device has none
   */
  @Verb("ibv_create_counters")
  Counters createCounters();

  /**
   * Creates a work queue in state RESET: receives of frames that queue pairs of type RAW_PACKET
   * spread.
   *
   * @param attr its capacities, domain and completion queue
   * @return the work queue
   * @throws VerbsException EOPNOTSUPP if the device has none, or not a flag; EINVAL if the domain
   *     or the completion queue is missing or of another context, or a capacity is out of range;
   *     ENOMEM beyond {@link DeviceAttrEx#maxWqTypeRq}
   */
  @Verb("ibv_create_wq")
  default WorkQueue createWq(WqInitAttr attr) {
    throw new VerbsException(Errno.EOPNOTSUPP, "ibv_create_wq", "the device has no work queues");
  }

  /**
   * Creates a table that leads frames to work queues.
   *
   * @param wqs one for each value of the lowest bits of the hash: as many as a power of two
   * @return the table
   * @throws VerbsException EOPNOTSUPP if the device has none; EINVAL if the number is no power of
   *     two or above {@link RssCaps#maxRwqIndirectionTableSize}, or a work queue is of another
   *     context
   */
  @Verb("ibv_create_rwq_ind_table")
  default RwqIndTable createRwqIndTable(List<WorkQueue> wqs) {
    throw new VerbsException(
        Errno.EOPNOTSUPP, "ibv_create_rwq_ind_table", "the device has no work queues");
  }

  /**
   * The address to answer a datagram to.
   *
   * @param portNum port it was received on
   * @param completion completion of the receive
   * @param grh the first 40 bytes of the receive, from the buffer's position on
   * @return address attributes
   * @throws VerbsException EPROTONOSUPPORT if the 40 bytes hold no IP header; EINVAL if it was sent
   *     to a multicast group or to no address of the port
   */
  @Verb("ibv_init_ah_from_wc")
  AhAttr initAhFromWc(int portNum, WorkCompletion completion, ByteBuffer grh);

  /**
   * Where the destination of an address vector is on the Ethernet.
   *
   * @param attr address vector
   * @return its Ethernet address and VLAN
   * @throws VerbsException EINVAL if the address vector is wrong; EHOSTUNREACH if no device has the
   *     destination address
   */
  @Verb("ibv_resolve_eth_l2_from_gid")
  EthL2 resolveEthL2FromGid(AhAttr attr);

  /** Closes the context and destroys every object made from it that is still open. */
  @Override
  @Verb("ibv_close_device")
  void close();
}
