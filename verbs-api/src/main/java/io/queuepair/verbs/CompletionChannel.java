// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Where completion queues announce completions ({@code struct ibv_comp_channel}). Thread-safe. */
public interface CompletionChannel extends AutoCloseable {
  /**
   * The context.
   *
   * @return the context this channel was created on
   */
  Context context();

  /**
   * Takes the oldest notification, waiting for one as long as it takes. Each must be acknowledged
   * with {@link CompletionQueue#ackEvents}.
   *
   * @return the queue that was notified
   * @throws VerbsException EDEADLK in virtual time, if the network is idle so that the wait could
   *     never end; EINTR if the thread is interrupted
   */
  @Verb("ibv_get_cq_event")
  CompletionQueue getCqEvent();

  /**
   * Takes the oldest notification, waiting for a limited time.
   *
   * @param timeout how long to wait at most, in the time of the network; zero does not wait
   * @return the queue that was notified, empty if none was in time
   * @throws VerbsException EINTR if the thread is interrupted; EDEADLK in virtual time, if so many
   *     calls in a row found nothing as {@link CompletionQueue#poll(WorkCompletion[])} allows
   */
  @Verb("ibv_get_cq_event")
  Optional<CompletionQueue> getCqEvent(Duration timeout);

  /**
   * Delivers notifications to a listener: no thread needs to wait for them. The listener is called
   * by whichever thread completes the work, or finds it complete, one call at a time, while the
   * device holds no lock; it may call verbs, but must not block. What it receives needs no
   * acknowledgement. While a queue is being destroyed, it may still receive it.
   *
   * @param listener receives the queue that was notified; it takes the place of an earlier one
   * @throws VerbsException EOPNOTSUPP if the device can only be waited for; EINVAL if the channel
   *     was destroyed
   */
  default void onCqEvent(Consumer<CompletionQueue> listener) {
    throw new VerbsException(Errno.EOPNOTSUPP, "ibv_get_cq_event", "the device calls no listeners");
  }

  /**
   * Destroys the channel.
   *
   * @throws VerbsException EBUSY while a completion queue uses it
   */
  @Override
  @Verb("ibv_destroy_comp_channel")
  void close();
}
