// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.queue.SendRequest;

/** Check of each request of a batch, before all other checks. */
public interface SetterCheck {
  /** No check, for requests that were checked while they were built. */
  SetterCheck NONE = (request, position) -> {};

  /**
   * Refuses a request that the setters of extended posting could not have built.
   *
   * @param position position of the request, for a refusal
   */
  void check(SendRequest request, WrPosition position);
}
