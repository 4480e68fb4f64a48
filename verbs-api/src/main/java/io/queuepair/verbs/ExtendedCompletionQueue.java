// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * A completion queue that is polled in batches, field by field ({@code struct ibv_cq_ex}).
 *
 * <pre>{@code
 * try (PollBatch batch = cq.startPoll()) {
 *   while (batch.nextPoll()) {
 *     handle(batch.wrId(), batch.status(), batch.readByteLen());
 *   }
 * }
 * }</pre>
 *
 * <p>An open batch belongs to the thread that started it. Until it ends, another thread that polls
 * waits, or is refused if the queue is {@link CreateCqAttrFlag#SINGLE_THREADED}; the same thread is
 * refused with EINVAL.
 */
public interface ExtendedCompletionQueue extends CompletionQueue {
  /**
   * This queue as a plain one.
   *
   * @return this queue, which can also be polled as a plain one while no batch is open
   */
  @Verb("ibv_cq_ex_to_cq")
  default CompletionQueue toCq() {
    return this;
  }

  /**
   * Starts a batch with the oldest completion. Like {@link #poll} it never waits, and lets a
   * network in virtual time make progress if the queue is empty.
   *
   * @param attr how to poll
   * @return the batch, to be closed; if the queue is empty (ENOENT in C), an empty one, which is
   *     closed already
   * @throws VerbsException EINVAL if the mask is not 0 or this thread has a batch open; EDEADLK as
   *     {@link #poll(WorkCompletion[])}
   */
  @Verb("ibv_start_poll")
  PollBatch startPoll(PollCqAttr attr);

  /**
   * Starts a batch with the oldest completion, see {@link #startPoll(PollCqAttr)}.
   *
   * @return the batch, to be closed; an empty one if the queue is empty
   * @throws VerbsException EINVAL if this thread has a batch open
   */
  @Verb("ibv_start_poll")
  default PollBatch startPoll() {
    return startPoll(PollCqAttr.NONE);
  }
}
