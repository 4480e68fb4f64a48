// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A queue of completions ({@code struct ibv_cq}). Thread-safe. */
public interface CompletionQueue extends UserContextHolder, AutoCloseable {
  /**
   * The context.
   *
   * @return the context this queue was created on
   */
  Context context();

  /**
   * The capacity.
   *
   * @return entries
   */
  int cqe();

  /**
   * Changes the capacity. The completions in the queue stay, in their order.
   *
   * @param cqe entries, at least 1 and as many as there are completions not yet polled
   * @throws VerbsException EINVAL if {@code cqe} is not 1 to {@link DeviceLimit#MAX_CQE} or too
   *     little for the completions in the queue, or if the queue has overrun
   */
  @Verb("ibv_resize_cq")
  void resize(int cqe);

  /**
   * Moderates notifications: an armed queue announces itself only after so many completions or so
   * much time, whichever comes first. Only completions count that would have been announced without
   * moderation; without any, nothing is announced.
   *
   * @param count completions to a notification, 0 to 65535; 0 leaves it to the period alone
   * @param periodMicros microseconds from the first completion to the notification, in the time of
   *     the network, 0 to 65535; 0 leaves it to the count alone
   * @throws VerbsException EINVAL if a value is out of range; EOPNOTSUPP if the device does not
   *     moderate
   */
  @Verb("ibv_modify_cq")
  void modify(int count, int periodMicros);

  /**
   * Takes completions, oldest first. Never waits; on a network in virtual time a call that finds
   * nothing runs one event of the network, so that a loop around it makes progress.
   *
   * <p>A queue that has overrun still gives the completions that it held; later ones are lost.
   *
   * @param into where the completions go, from index 0
   * @return how many were taken; fewer than the array holds means that the queue is empty
   * @throws VerbsException EDEADLK in virtual time, if a million polls in a row found nothing (the
   *     number is an option of the network) and nothing is left to happen, so that a loop around
   *     them would never end; it says what everybody waits for
   * @throws VerbsException EINVAL if the queue was destroyed; ENODEV if the device is gone, when
   *     the completions that it left have been taken
   */
  @Verb("ibv_poll_cq")
  int poll(WorkCompletion[] into);

  /**
   * Takes completions, oldest first, see {@link #poll(WorkCompletion[])}.
   *
   * @param maxEntries how many at most
   * @return the completions, possibly none
   * @throws IllegalArgumentException if {@code maxEntries} is negative
   */
  @Verb("ibv_poll_cq")
  default List<WorkCompletion> poll(int maxEntries) {
    if (maxEntries < 0) {
      throw new IllegalArgumentException(maxEntries + " completions cannot be taken");
    }
    int few = 1_024;
    int most = maxEntries <= few ? maxEntries : Math.max(few, Math.min(maxEntries, cqe()));
    WorkCompletion[] taken = new WorkCompletion[most];
    return new ArrayList<>(Arrays.asList(taken).subList(0, poll(taken)));
  }

  /**
   * Asks for one notification on the channel, at the next completion added. To ask for any
   * completion overrides to ask for solicited ones, before or after.
   *
   * @param solicitedOnly whether only solicited receives and errors count
   * @throws VerbsException EINVAL if the queue has no channel or has overrun
   */
  @Verb("ibv_req_notify_cq")
  void reqNotify(boolean solicitedOnly);

  /**
   * Acknowledges notifications taken from the channel. In C, too many go unnoticed until {@code
   * ibv_destroy_cq} waits for ever.
   *
   * @param events how many, from 0
   * @throws VerbsException EINVAL if it is negative, or more than are not acknowledged
   */
  @Verb("ibv_ack_cq_events")
  void ackEvents(int events);

  /**
   * Destroys the queue. Notifications that were not taken from the channel are lost.
   *
   * @throws VerbsException EBUSY while a queue pair uses it; or while a notification or an
   *     asynchronous event of it is not acknowledged, at once in virtual time or if the calling
   *     thread took all of them, otherwise after waiting ten seconds for other threads
   */
  @Override
  @Verb("ibv_destroy_cq")
  void close();
}
