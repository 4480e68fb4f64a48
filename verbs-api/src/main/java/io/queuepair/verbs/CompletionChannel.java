package io.queuepair.verbs;

import java.time.Duration;
import java.util.Optional;

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
   * Destroys the channel.
   *
   * @throws VerbsException EBUSY while a completion queue uses it
   */
  @Override
  @Verb("ibv_destroy_comp_channel")
  void close();
}
