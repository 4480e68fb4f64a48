package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/** An opened device ({@code struct ibv_context}). Thread-safe. */
public interface Context extends AutoCloseable {
  /**
   * The device.
   *
   * @return the device this context was opened on
   */
  Device device();

  /**
   * What the device is and can do.
   *
   * @return attributes, constant for the life of the device
   */
  @Verb("ibv_query_device")
  DeviceAttr queryDevice();

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
  default CompletionQueue createCq(int cqe, CompletionChannel channel) {
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
  CompletionQueue createCq(int cqe, CompletionChannel channel, int compVector);

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
   * @throws VerbsException EINTR if the thread is interrupted
   */
  @Verb("ibv_get_async_event")
  Optional<AsyncEvent> getAsyncEvent(Duration timeout);

  /**
   * Acknowledges an event that was taken; its queue can be destroyed when all are.
   *
   * @param event the event; one of a port or device needs no acknowledgement
   */
  @Verb("ibv_ack_async_event")
  void ackAsyncEvent(AsyncEvent event);

  /**
   * Opens a domain for extended reliable connections.
   *
   * @return a new domain
   */
  @Verb("ibv_open_xrcd")
  XrcDomain openXrcd();

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

  /** Closes the context and destroys every object made from it that is still open. */
  @Override
  @Verb("ibv_close_device")
  void close();
}
