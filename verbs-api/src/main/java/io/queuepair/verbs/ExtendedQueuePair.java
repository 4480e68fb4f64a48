// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Optional;

/**
 * A queue pair whose sends are also posted by calls instead of structures ({@code struct
 * ibv_qp_ex}). See {@link WrBatch}.
 */
public interface ExtendedQueuePair extends QueuePair {
  /**
   * Attributes the queue pair was created with, with the capacities granted.
   *
   * @return the attributes
   */
  QpInitAttrEx initAttrEx();

  /**
   * Starts a batch of sends, which belongs to this thread. Another thread that starts one, or posts
   * sends otherwise, waits for its end; no receiving, no completion and no packet does.
   *
   * @return the batch, to be closed
   * @throws VerbsException EINVAL if the queue pair was created without {@link
   *     QpInitAttrMask#SEND_OPS_FLAGS}, if it was destroyed, or if this thread has a batch open
   */
  @Verb("ibv_wr_start")
  WrBatch wrStart();

  /**
   * Gives this queue pair.
   *
   * @return this, unless it was created without {@link QpInitAttrMask#SEND_OPS_FLAGS}
   */
  @Override
  @Verb("ibv_qp_to_qp_ex")
  default Optional<ExtendedQueuePair> toQpEx() {
    return initAttrEx().compMask().contains(QpInitAttrMask.SEND_OPS_FLAGS)
        ? Optional.of(this)
        : Optional.empty();
  }
}
