// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.Verb;
import java.time.Duration;
import java.util.Optional;

/** Where ids report what happens to them ({@code struct rdma_event_channel}). Thread-safe. */
public interface RdmaEventChannel extends AutoCloseable {
  /**
   * Creates an id that reports to this channel.
   *
   * @param ps port space; it says which type of queue pair the id has: UD for UDP and IPOIB,
   *     otherwise RC
   * @return a new id, bound to nothing
   * @throws io.queuepair.verbs.VerbsException EINVAL if the channel was destroyed; ENODEV if the
   *     devices are gone
   */
  @Verb("rdma_create_id")
  RdmaCmId createId(RdmaPortSpace ps);

  /**
   * Takes the oldest event, waiting for one as long as it takes. Taking it also does what the
   * library owes to the queue pair of the id: when the peer has accepted, it becomes ready to
   * receive and to send; when it has rejected, it goes to Error; when a multicast group was joined,
   * it is attached.
   *
   * @return the event; each must be acknowledged, or its id cannot be destroyed
   * @throws io.queuepair.verbs.VerbsException EDEADLK in virtual time, if the network is idle so
   *     that the wait could never end; EINTR if the thread is interrupted; EINVAL if the channel
   *     was destroyed, also meanwhile; ENODEV if the devices are gone
   */
  @Verb("rdma_get_cm_event")
  RdmaCmEvent getCmEvent();

  /**
   * Takes the oldest event, waiting for a limited time.
   *
   * @param timeout how long to wait at most, in the time of the network; zero does not wait, as
   *     with {@code O_NONBLOCK}
   * @return the event, empty if there was none in time (EAGAIN in C)
   * @throws io.queuepair.verbs.VerbsException as {@link #getCmEvent()}; EDEADLK in virtual time, if
   *     so many calls in a row found nothing as {@link io.queuepair.verbs.CompletionQueue#poll}
   *     allows
   */
  @Verb("rdma_get_cm_event")
  Optional<RdmaCmEvent> getCmEvent(Duration timeout);

  /**
   * Destroys the channel: a thread that waits for an event of it is refused with EINVAL, and
   * requests that were not taken are rejected. Destroy its ids first; events of those that are left
   * are lost.
   */
  @Override
  @Verb("rdma_destroy_event_channel")
  void close();
}
