package io.queuepair.verbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A queue of completions ({@code struct ibv_cq}). Thread-safe. */
public interface CompletionQueue extends AutoCloseable {
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
   * Takes completions, oldest first. Never waits; on a network in virtual time a call that finds
   * nothing runs one event of the network, so that a loop around it makes progress.
   *
   * @param into where the completions go, from index 0
   * @return how many were taken; fewer than the array holds means that the queue is empty
   */
  @Verb("ibv_poll_cq")
  int poll(WorkCompletion[] into);

  /**
   * Takes completions, oldest first.
   *
   * @param maxEntries how many at most
   * @return the completions, maybe none
   */
  @Verb("ibv_poll_cq")
  default List<WorkCompletion> poll(int maxEntries) {
    WorkCompletion[] taken = new WorkCompletion[maxEntries];
    return new ArrayList<>(Arrays.asList(taken).subList(0, poll(taken)));
  }

  /**
   * Asks for one notification on the channel, at the next completion added.
   *
   * @param solicitedOnly whether only solicited receives and errors count
   * @throws VerbsException EINVAL if the queue has no channel
   */
  @Verb("ibv_req_notify_cq")
  void reqNotify(boolean solicitedOnly);

  /**
   * Acknowledges notifications taken from the channel.
   *
   * @param events how many
   */
  @Verb("ibv_ack_cq_events")
  void ackEvents(int events);

  /**
   * Destroys the queue.
   *
   * @throws VerbsException EBUSY while a queue pair uses it, or a notification is not acknowledged
   */
  @Override
  @Verb("ibv_destroy_cq")
  void close();
}
