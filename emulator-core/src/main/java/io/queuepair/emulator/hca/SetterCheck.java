// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.queue.SendRequest;

/** Check of each request of a batch, before all other checks. */
public interface SetterCheck {
  /** No check, for requests that were checked while they were built. */
  SetterCheck NONE = (request, position) -> {};

  /**
   * Refuses a request that the setters of extended posting ({@code ibv_wr_*}) cannot express: an
   * operation that the queue pair was not created for, the flag INLINE, entries or inline data that
   * the opcode does not take.
   *
   * @param position place of the request in the batch, named in the exception
   */
  void check(SendRequest request, WrPosition position);
}
